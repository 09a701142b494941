/** Column headers with grips for their widths; the header of the date column reverses the order. */

import type { RecordField } from '../../../../src/contract/record/records.ts';
import { useAccess } from '../../access/access-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { fieldLabel } from '../../query/filters.ts';
import { classOf } from '../columns.ts';
import type { GridLayout } from './grid-layout.ts';
import { HEADER_ROLE, ROW_GROUP_ROLE, ROW_ROLE } from './grid-roles.ts';
import { widthStyle } from './grid-row.tsx';
import { WidthGrip } from './width-grip.tsx';

export const GridHead = ({ layout }: { readonly layout: GridLayout }) => (
  <thead {...ROW_GROUP_ROLE}>
    <tr {...ROW_ROLE} aria-rowindex={1}>
      {layout.columns.map((column) => (
        <HeadCell key={column.name} column={column} layout={layout} />
      ))}
    </tr>
  </thead>
);

interface HeadCellProps {
  readonly column: RecordField;
  readonly layout: GridLayout;
}

/** Cards have labels instead: screen readers still have all headers. */
function HeadCell({ column, layout: { isCards, widths } }: HeadCellProps) {
  const { texts } = useLocalization();
  const { view } = useAccess();
  const isSorted = column.name === view.dateField;
  const sorted = view.order === 'desc' ? 'descending' : 'ascending';
  return (
    <th
      {...HEADER_ROLE}
      scope="col"
      aria-sort={isSorted ? sorted : undefined}
      className={isCards && !isSorted ? 'hidden' : classOf(column)}
      data-column={column.name}
      style={isCards ? undefined : widthStyle(column, widths)}
    >
      {isSorted ? (
        <OrderButton name={fieldLabel(column.name, texts)} />
      ) : (
        fieldLabel(column.name, texts)
      )}
      {!isCards && <WidthGrip name={column.name} widths={widths} />}
    </th>
  );
}

function OrderButton({ name }: { readonly name: string }) {
  const { texts } = useLocalization();
  const { view, change } = useAccess();
  const isDescending = view.order === 'desc';
  const order = isDescending ? texts.list.newest : texts.list.oldest;
  return (
    <button
      type="button"
      className="quiet"
      title={texts.list.sort}
      aria-label={`${name}, ${order}. ${texts.list.sort}`}
      onClick={() => change({ order: isDescending ? 'asc' : 'desc' })}
    >
      {name} <span aria-hidden="true">{isDescending ? '↓' : '↑'}</span>
    </button>
  );
}

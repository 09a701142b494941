/** Column headers; the header of the date column reverses the order. */

import type { RecordField } from '../../../../src/contract/record/records.ts';
import { useAccess } from '../../access/access-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { fieldLabel } from '../../query/filters.ts';
import { classOf } from '../columns.ts';
import type { ColumnWidthOf } from './column-widths.ts';
import { HEADER_ROLE, ROW_GROUP_ROLE, ROW_ROLE } from './grid-roles.ts';

interface GridHeadProps {
  readonly columns: readonly RecordField[];
  readonly widthOf: ColumnWidthOf;
}

export const GridHead = ({ columns, widthOf }: GridHeadProps) => (
  <thead {...ROW_GROUP_ROLE}>
    <tr {...ROW_ROLE} aria-rowindex={1}>
      {columns.map((column) => (
        <HeadCell key={column.name} column={column} width={widthOf(column)} />
      ))}
    </tr>
  </thead>
);

interface HeadCellProps {
  readonly column: RecordField;
  readonly width: number;
}

function HeadCell({ column, width }: HeadCellProps) {
  const { texts } = useLocalization();
  const { view } = useAccess();
  const isSorted = column.name === view.dateField;
  const sorted = view.order === 'desc' ? 'descending' : 'ascending';
  return (
    <th
      {...HEADER_ROLE}
      scope="col"
      aria-sort={isSorted ? sorted : undefined}
      className={classOf(column)}
      style={{ width: `${width}rem` }}
    >
      {isSorted ? (
        <OrderButton name={fieldLabel(column.name, texts)} />
      ) : (
        fieldLabel(column.name, texts)
      )}
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

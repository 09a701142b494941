/** Column headers, which sort the list, with grips for their widths. */

import type { RecordField } from '../../../../src/contract/record/records.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { fieldLabel } from '../../query/filters.ts';
import { sortOfView } from '../list-sort.ts';
import {
  type Direction,
  directionOf,
  directionWords,
  nextDirection,
  viewSortedBy,
} from '../sort-directions.ts';
import { classOf } from './column-class.ts';
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

/**
 * With cards, only the header of the sorted column is visible. The others are only for screen readers, because values
 * have labels and a select sorts the list.
 */
function HeadCell({ column, layout: { isCards, widths } }: HeadCellProps) {
  const { texts } = useLocalization();
  const { service, view } = useExplorer();
  const direction = directionOf(column, sortOfView(service.role, view), view);
  const isHidden = isCards && direction === undefined;
  return (
    <th
      {...HEADER_ROLE}
      scope="col"
      aria-sort={direction}
      className={isHidden ? 'hidden' : classOf(column)}
      data-column={column.name}
      style={isCards ? undefined : widthStyle(column, widths)}
    >
      {isHidden ? (
        fieldLabel(column.name, texts)
      ) : (
        <SortButton column={column} direction={direction} />
      )}
      {!isCards && <WidthGrip name={column.name} widths={widths} />}
    </th>
  );
}

interface SortButtonProps {
  readonly column: RecordField;
  /** Undefined if the list is not sorted by the column. */
  readonly direction: Direction | undefined;
}

function SortButton({ column, direction }: SortButtonProps) {
  const { texts } = useLocalization();
  const { view, change } = useExplorer();
  const name = fieldLabel(column.name, texts);
  const next = nextDirection(column, direction, view);
  const action =
    next === undefined ? texts.list.unsort : texts.list.sortTo(directionWords(column, next, texts));
  const isSorted = direction !== undefined;
  return (
    <button
      type="button"
      className={isSorted ? 'quiet sorted' : 'quiet'}
      title={action}
      aria-label={
        isSorted ? `${name}, ${directionWords(column, direction, texts)}. ${action}` : undefined
      }
      onClick={() =>
        change(next === undefined ? { listSort: undefined } : viewSortedBy(column, next, view))
      }
    >
      {name}
      {isSorted && <span aria-hidden="true">{direction === 'descending' ? ' ↓' : ' ↑'}</span>}
    </button>
  );
}

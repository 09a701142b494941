/** One row of the grid, or its placeholder while it is loading. */

import type { RecordField } from '../../../../src/contract/record/records.ts';
import type { ResultRow } from '../../query/api-query.ts';
import { classOf } from '../columns.ts';
import type { ColumnWidthOf } from './column-widths.ts';
import { CELL_ROLE, ROW_ROLE } from './grid-roles.ts';
import { ShortValue } from './value.tsx';
import { ROW_HEIGHT } from './virtual-rows.ts';

interface GridRowProps {
  readonly id: string;
  readonly place: number;
  /** Undefined while the row is loading. */
  readonly row: ResultRow | undefined;
  readonly columns: readonly RecordField[];
  readonly widthOf: ColumnWidthOf;
  readonly isActive: boolean;
}

export function GridRow({ id, place, row, columns, widthOf, isActive }: GridRowProps) {
  return (
    <tr
      {...ROW_ROLE}
      id={id}
      className={isActive ? 'active' : undefined}
      aria-rowindex={place + 2}
      data-place={row === undefined ? undefined : place}
      style={{ height: `${ROW_HEIGHT}px` }}
    >
      {columns.map((column) => (
        <td
          {...CELL_ROLE}
          key={column.name}
          className={classOf(column)}
          style={{ width: `${widthOf(column)}rem` }}
        >
          {row === undefined ? (
            <span className="shade" />
          ) : (
            <ShortValue column={column} row={row} />
          )}
        </td>
      ))}
    </tr>
  );
}

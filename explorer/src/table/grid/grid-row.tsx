/** One row of the grid, or its placeholder while it is loading. */

import type { CSSProperties } from 'react';
import type { RecordField } from '../../../../src/contract/record/records.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { ResultRow } from '../../query/api-query.ts';
import { fieldLabel } from '../../query/filters.ts';
import { classOf } from './column-class.ts';
import type { GridLayout } from './grid-layout.ts';
import { CELL_ROLE, ROW_ROLE } from './grid-roles.ts';
import type { ColumnWidths } from './use-column-widths.ts';
import { ShortValue } from './value.tsx';

interface GridRowProps {
  readonly id: string;
  readonly place: number;
  /** Undefined while the row is loading. */
  readonly row: ResultRow | undefined;
  readonly layout: GridLayout;
  readonly isActive: boolean;
}

export function GridRow({ id, place, row, layout, isActive }: GridRowProps) {
  const { isCards, columns, rowHeight, widths } = layout;
  return (
    <tr
      {...ROW_ROLE}
      id={id}
      className={isActive ? 'active' : undefined}
      aria-rowindex={place + 2}
      data-place={row === undefined ? undefined : place}
      style={{ height: `${rowHeight}px` }}
    >
      {columns.map((column) => (
        <td
          {...CELL_ROLE}
          key={column.name}
          className={classOf(column)}
          style={isCards ? undefined : widthStyle(column, widths)}
        >
          {isCards && <CardLabel column={column} />}
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

/** A column with a chosen width does not grow to fill the screen. */
export function widthStyle(column: RecordField, widths: ColumnWidths): CSSProperties {
  const width = `${widths.widthOf(column)}rem`;
  return widths.isChosen(column) ? { width, flex: 'none', maxWidth: 'none' } : { width };
}

/** Hidden from screen readers, which read the column header instead. A status needs no label. */
function CardLabel({ column }: { readonly column: RecordField }) {
  const { texts } = useLocalization();
  if (column.field.type === 'status_label') return null;
  return (
    <span className="card-label" aria-hidden="true">
      {fieldLabel(column.name, texts)}
    </span>
  );
}

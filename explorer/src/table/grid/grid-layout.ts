/** React hook for the layout of the list: a table, or cards on phones. */

import type { RecordField } from '../../../../src/contract/record/records.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { cardColumns, cardHeight } from './card-layout.ts';
import { type ColumnWidths, useColumnWidths } from './use-column-widths.ts';

export interface GridLayout {
  readonly isCards: boolean;
  /** In the order in which they are shown. */
  readonly columns: readonly RecordField[];
  /** In pixels. */
  readonly rowHeight: number;
  readonly widths: ColumnWidths;
}

const TABLE_ROW_HEIGHT = 40;

export function useGridLayout(columns: readonly RecordField[]): GridLayout {
  const isCards = useNarrow();
  const widths = useColumnWidths();
  if (!isCards) return { isCards, columns, rowHeight: TABLE_ROW_HEIGHT, widths };
  const ordered = cardColumns(columns);
  return { isCards, columns: ordered, rowHeight: cardHeight(ordered), widths };
}

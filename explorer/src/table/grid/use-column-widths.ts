/** React hook for the widths of columns: chosen by the user, else by field type. */

import type { RecordField } from '../../../../src/contract/record/records.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { usePreference } from '../../layout/preferences.ts';
import { boundedWidth, type ChosenWidths, readWidths, writtenWidths } from './chosen-widths.ts';
import { standardWidth } from './standard-width.ts';

export interface ColumnWidths {
  /** In rem. */
  widthOf(column: RecordField): number;
  /** Whether the user has chosen the width. Other columns grow to fill the screen. */
  isChosen(column: RecordField): boolean;
  /** Sets the widths of these columns, within bounds. */
  choose(widths: ChosenWidths): void;
  /** Resets one column to its standard width, or all columns without a name. */
  reset(name?: string): void;
}

export function useColumnWidths(): ColumnWidths {
  const { role } = useExplorer().service;
  const { formats } = useLocalization();
  const [text, remember] = usePreference(`widths.${role}`);
  const chosen = readWidths(text);
  return {
    widthOf: (column) => chosen[column.name] ?? standardWidth(column, formats),
    isChosen: ({ name }) => Object.hasOwn(chosen, name),
    choose: (widths) => {
      const bounded = Object.entries(widths).map(([name, width]) => [name, boundedWidth(width)]);
      remember(writtenWidths({ ...chosen, ...Object.fromEntries(bounded) }));
    },
    reset: (name) => {
      const { [name ?? '']: _, ...others } = chosen;
      remember(name === undefined ? '' : writtenWidths(others));
    },
  };
}

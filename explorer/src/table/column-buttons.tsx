/** Buttons that move a column of the list and change its width, for keyboards and touch. */

import type { RecordField } from '../../../src/contract/record/records.ts';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import { boundedWidth } from './grid/chosen-widths.ts';
import type { ColumnWidths } from './grid/use-column-widths.ts';

interface ColumnButtonsProps {
  readonly column: RecordField;
  readonly widths: ColumnWidths;
  /** The names of the columns before and after; undefined at either end. */
  readonly neighbours: readonly [string | undefined, string | undefined];
  swap(other: string): void;
}

/** Rem by which a click changes the width. */
const STEP = 1;

/** Without the buttons for widths on phones, which show cards instead of columns. */
export function ColumnButtons({ column, widths, neighbours, swap }: ColumnButtonsProps) {
  const { texts } = useLocalization();
  const isNarrow = useNarrow();
  const name = fieldLabel(column.name, texts);
  const [before, after] = neighbours;
  return (
    <>
      {!isNarrow && <WidthButtons column={column} widths={widths} />}
      <ColumnButton
        label={texts.list.up(name)}
        sign="↑"
        press={before === undefined ? undefined : () => swap(before)}
      />
      <ColumnButton
        label={texts.list.down(name)}
        sign="↓"
        press={after === undefined ? undefined : () => swap(after)}
      />
    </>
  );
}

function WidthButtons({ column, widths }: Pick<ColumnButtonsProps, 'column' | 'widths'>) {
  const { texts } = useLocalization();
  const name = fieldLabel(column.name, texts);
  const width = widths.widthOf(column);
  const changeTo = (next: number) =>
    boundedWidth(next) === width ? undefined : () => widths.choose({ [column.name]: next });
  return (
    <>
      <ColumnButton label={texts.list.narrower(name)} sign="−" press={changeTo(width - STEP)} />
      <ColumnButton label={texts.list.wider(name)} sign="+" press={changeTo(width + STEP)} />
    </>
  );
}

interface ColumnButtonProps {
  readonly label: string;
  readonly sign: string;
  /** Undefined if the column cannot be moved, narrowed or widened any further. */
  readonly press: (() => void) | undefined;
}

const ColumnButton = ({ label, sign, press }: ColumnButtonProps) => (
  // `aria-disabled` instead of `disabled`, so that the button keeps the focus.
  <button
    type="button"
    className="quiet icon"
    aria-label={label}
    title={label}
    aria-disabled={press === undefined}
    onClick={press}
  >
    {sign}
  </button>
);

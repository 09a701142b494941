/** Chips of the applied values of one filter: each can be edited and removed alone. */

import type { MouseEvent } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { CrossIcon } from '../../ui/cross-icon.tsx';
import type { ChipValue } from '../values/use-typed-values.ts';

interface ValueChipsProps {
  readonly chips: readonly ChipValue[];
  /** Whether it is the only chip. It needs no remove button, because that of the filter removes its value. */
  readonly isOnlyChip: boolean;
  edit(value: string): void;
  remove(value: string): void;
}

/** The picker shows the other values. */
const MAX_CHIPS = 5;

/** The input keeps the focus, so that its text is not applied before the press. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

export function ValueChips({ chips, isOnlyChip, edit, remove }: ValueChipsProps) {
  const { texts, formats } = useLocalization();
  const rest = chips.length - MAX_CHIPS;
  return (
    <>
      {chips.slice(0, MAX_CHIPS).map(({ value, label }) => (
        <span key={value} className="chip">
          <button
            type="button"
            className="quiet chip-value"
            onMouseDown={keepFocus}
            title={label === value ? label : `${label} (${value})`}
            aria-label={texts.filter.edit(label)}
            onClick={() => edit(value)}
          >
            {label}
          </button>
          {!isOnlyChip && (
            <button
              type="button"
              className="quiet icon chip-remove"
              onMouseDown={keepFocus}
              aria-label={texts.filter.removeValue(label)}
              onClick={() => remove(value)}
            >
              <CrossIcon />
            </button>
          )}
        </span>
      ))}
      {rest > 0 && <span className="soft small">{texts.glance.others(formats.count(rest))}</span>}
    </>
  );
}

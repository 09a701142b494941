/** Chips of the applied values of one filter: each can be edited and removed alone. */

import type { MouseEvent } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { CrossIcon } from '../../ui/cross-icon.tsx';
import type { ChipValue } from '../values/use-typed-values.ts';

interface ValueChipsProps {
  readonly chips: readonly ChipValue[];
  /** Whether there is only one chip. It needs no remove button, because the filter has one. */
  readonly isOnlyChip: boolean;
  edit(value: string): void;
  remove(value: string): void;
}

/** The picker shows the other values. */
const MAX_CHIPS = 5;

/** Keeps the focus in the input, which would otherwise apply its text. */
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

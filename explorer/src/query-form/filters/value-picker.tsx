/** Listbox below a filter's input: known values to check, with names and counts (multi-select WAI-ARIA combobox). */

import { useEffect } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { MAX_OPTIONS, type PickerOption } from '../values/picker-options.ts';

interface ValuePickerProps {
  /** Of the listbox. */
  readonly id: string;
  readonly label: string;
  readonly options: readonly PickerOption[];
  /** The position of the active option; undefined without one. */
  readonly active: number | undefined;
  toggle(option: PickerOption): void;
}

export const optionId = (id: string, at: number): string => `${id}-${at}`;

export function ValuePicker({ id, label, options, active, toggle }: ValuePickerProps) {
  const { texts, formats } = useLocalization();
  useEffect(() => {
    if (active === undefined) return;
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const shown = options.slice(0, MAX_OPTIONS);
  const left = options.length - shown.length;
  return (
    <div className="picker">
      <div
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={texts.filter.values(label)}
        aria-multiselectable="true"
        // The input keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {shown.map((option, at) => (
          <button
            key={option.value}
            id={optionId(id, at)}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={option.isChosen}
            className={at === active ? 'quiet picker-option active' : 'quiet picker-option'}
            onClick={() => toggle(option)}
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M3.5 8.5l3 3 6-7" />
            </svg>
            <span className="picker-label">
              {option.label}
              {option.label !== option.value && <span className="soft small"> {option.value}</span>}
            </span>
            {option.count !== undefined && (
              <span className="soft small">{formats.count(option.count)}</span>
            )}
          </button>
        ))}
      </div>
      {left > 0 && <p className="soft small">{texts.filter.more(formats.count(left))}</p>}
    </div>
  );
}

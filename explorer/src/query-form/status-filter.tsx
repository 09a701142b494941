/** Toggle buttons for the statuses; none selected means all. */

import { STATUS_LABELS } from '../../../src/contract/record/labels.ts';
import { STATUSES, type Status } from '../../../src/contract/record/statuses.ts';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import { labelsOf } from '../texts/languages.ts';
import { StatusIcon } from '../ui/status-icon.tsx';

interface StatusFilterProps {
  readonly value: string;
  set(text: string): void;
}

const POSITIONS: { readonly [status in Status]: number } = { 1: 0, 2: 1, 0: 2 };

/** Validated first, refused last. */
export const STATUS_ORDER = STATUSES.toSorted((one, other) => POSITIONS[one] - POSITIONS[other]);

export function StatusFilter({ value, set }: StatusFilterProps) {
  const { texts, formats } = useLocalization();
  const chosen = value === '' ? [] : value.split(',');
  const toggled = (status: string): string => {
    const next = chosen.includes(status)
      ? chosen.filter((other) => other !== status)
      : [...chosen, status].sort();
    return next.length === STATUSES.length ? '' : next.join(',');
  };
  return (
    <fieldset className="toggles">
      <legend className="hidden">{fieldLabel('status_label', texts)}</legend>
      {STATUS_ORDER.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={chosen.includes(String(status))}
          onClick={() => set(toggled(String(status)))}
        >
          <StatusIcon status={status} />
          {STATUS_LABELS[labelsOf(formats.tag)][status]}
        </button>
      ))}
    </fieldset>
  );
}

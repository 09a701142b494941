/** Toggle buttons for the statuses, with the number of transactions of each; none selected means all. */

import { useId } from 'react';
import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { STATUSES, type Status } from '../../../../src/contract/record/statuses.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { useGroups } from '../../overview/use-groups.ts';
import { fieldLabel } from '../../query/filters.ts';
import { granularityOf } from '../../query/granularity.ts';
import { labelLocaleOf } from '../../texts/languages.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';

interface StatusFilterProps {
  readonly value: string;
  set(text: string): void;
}

const POSITIONS: { readonly [status in Status]: number } = { 1: 0, 2: 1, 0: 2 };

/** Validated first, refused last. */
export const STATUS_ORDER = STATUSES.toSorted((one, other) => POSITIONS[one] - POSITIONS[other]);

export function StatusFilter({ value, set }: StatusFilterProps) {
  const { texts, formats } = useLocalization();
  const id = useId();
  const counts = useStatusCounts();
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
          aria-describedby={counts === undefined ? undefined : `${id}-${status}`}
          onClick={() => set(toggled(String(status)))}
        >
          <StatusIcon status={status} />
          {STATUS_LABELS[labelLocaleOf(formats.tag)][status]}
          {/* A description, because the name of a button should not change with the data. */}
          <span id={`${id}-${status}`} className="toggle-count soft small" aria-hidden="true">
            {counts !== undefined && formats.short(counts.get(status) ?? 0)}
          </span>
        </button>
      ))}
    </fieldset>
  );
}

/** Counts by status under the other filters. The chart uses the same groups, so that both often share a request. */
function useStatusCounts(): ReadonlyMap<Status, number> | undefined {
  const { view, days, query } = useExplorer();
  const { status: _, exclude_status: __, ...others } = query;
  const grouping = granularityOf(days, view.granularity);
  const { data, isPlaceholderData } = useGroups(others, [grouping, 'status']);
  if (data === undefined || isPlaceholderData) return undefined;
  const sumOf = (status: Status) =>
    data
      .filter((group) => String(group.status) === String(status))
      .reduce((sum, { count }) => sum + Number(count), 0);
  return new Map(STATUSES.map((status) => [status, sumOf(status)]));
}

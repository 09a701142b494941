/** Top groups by one field, each a button that filters by it. */

import { useRef, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import type { ResultRow } from '../query/api-query.ts';
import type { Formats } from '../ui/formats.ts';
import { formatMeasure, type Measure, measureValue, sumOf } from './measures.ts';
import { selectedValues, toggleFilter } from './toggle-filter.ts';
import { useGroups } from './use-groups.ts';

interface TopGroupsProps {
  readonly grouping: 'program_id' | 'publisher_id' | 'country' | 'device_type';
  readonly measure: Measure;
  /** False until the totals have arrived, which come first. */
  readonly isEnabled: boolean;
}

const INITIAL_COUNT = 5;
const PLACEHOLDERS = ['a', 'b', 'c', 'd', 'e'];
/** How many more groups a click shows. */
const STEP = 45;

export function TopGroups({ grouping, measure, isEnabled }: TopGroupsProps) {
  const { texts } = useLocalization();
  const { query } = useAccess();
  const [limit, setLimit] = useState(INITIAL_COUNT);
  const { data, error, isPlaceholderData: isStale } = useGroups(query, [grouping], isEnabled);
  const groups = (data ?? []).toSorted(
    (one, other) => measureValue(other, measure) - measureValue(one, measure),
  );
  const sum = sumOf(groups, measure);
  const shown = groups.slice(0, limit);
  return (
    <section
      className={isStale ? 'top-groups card old' : 'top-groups card'}
      aria-label={texts.glance.top[grouping]}
      aria-busy={isStale || (data === undefined && error === null)}
    >
      <h2>{texts.glance.top[grouping]}</h2>
      <ol>
        {data?.length === 0 && <li className="soft top-empty">{texts.glance.empty}</li>}
        {data === undefined &&
          error === null &&
          PLACEHOLDERS.map((shade) => (
            <li key={shade} className="group-shade">
              <span className="shade" />
            </li>
          ))}
        {shown.map((group) => (
          <li key={String(group[grouping])}>
            <GroupButton group={group} grouping={grouping} measure={measure} sum={sum} />
          </li>
        ))}
      </ol>
      <More rest={groups.length - shown.length} limit={limit} show={setLimit} />
    </section>
  );
}

interface MoreProps {
  /** The number of hidden groups. */
  readonly rest: number;
  readonly limit: number;
  show(limit: number): void;
}

/** The first button stays in place, so that it keeps the focus. */
function More({ rest, limit, show }: MoreProps) {
  const { texts, formats } = useLocalization();
  const first = useRef<HTMLButtonElement>(null);
  const isLong = limit > INITIAL_COUNT;
  const collapse = () => {
    first.current?.focus();
    show(INITIAL_COUNT);
  };
  return (
    <div className="top-more">
      {(rest > 0 || isLong) && (
        <button
          ref={first}
          type="button"
          className="quiet small"
          onClick={() => (rest > 0 ? show(limit + STEP) : collapse())}
        >
          {rest > 0 ? texts.glance.others(formats.count(rest)) : texts.glance.fewer}
        </button>
      )}
      {rest > 0 && isLong && (
        <button type="button" className="quiet small" onClick={collapse}>
          {texts.glance.fewer}
        </button>
      )}
    </div>
  );
}

type ValueLabel = (code: string, group: ResultRow, formats: Formats) => string;

const VALUE_LABELS: Readonly<Record<TopGroupsProps['grouping'], ValueLabel>> = {
  program_id: (id, { program_name: name }) => (name ? `${name} (${id})` : id),
  publisher_id: (id, { publisher_name: name }) => (name ? `${name} (${id})` : id),
  country: (code, _, formats) => formats.country(code),
  device_type: (type, _, formats) => formats.device(type),
};

interface GroupButtonProps extends Omit<TopGroupsProps, 'isEnabled'> {
  readonly group: ResultRow;
  readonly sum: number;
}

function GroupButton({ group, grouping, measure, sum }: GroupButtonProps) {
  const { texts, formats } = useLocalization();
  const { view, change } = useAccess();
  const value = group[grouping] ?? null;
  const code = String(value);
  const name = value === null ? texts.glance.unknown : VALUE_LABELS[grouping](code, group, formats);
  const isPressed = value !== null && selectedValues(view.filters, grouping).includes(code);
  const hint = isPressed ? texts.ask.remove(name) : texts.glance.only(name);
  const share = sum === 0 ? 0 : measureValue(group, measure) / sum;
  return (
    <button
      type="button"
      className="group"
      // No filter matches an unknown value.
      disabled={value === null}
      aria-pressed={isPressed}
      title={value === null ? undefined : hint}
      onClick={() => change({ filters: toggleFilter(view.filters, grouping, code) })}
    >
      <span className="group-name">{name}</span>
      <span className="group-value">
        {formatMeasure(measureValue(group, measure), measure, formats)}
      </span>
      <span className="group-share soft">{formats.share(share)}</span>
      <span className="group-bar" style={{ scale: `${share} 1` }} />
    </button>
  );
}

/** Where most of it comes from: the largest groups by one field, each a button that narrows down to it. */

import { useState } from 'react';
import { useAsker } from '../asker.tsx';
import { ErrorNotice } from '../notice.tsx';
import type { Values } from '../question.ts';
import { useReader } from '../reader.tsx';
import { type Measure, sumOf, valueIn, written } from './measures.ts';
import { useGroups } from './use-groups.ts';

interface TopProps {
  readonly grouping: 'program_id' | 'publisher_id' | 'country' | 'device_type';
  readonly measure: Measure;
  /** After what the reader looks at first. */
  readonly isDue: boolean;
}

const AT_FIRST = 5;
const AT_MOST = 50;

export function Top({ grouping, measure, isDue }: TopProps) {
  const { texts, formats } = useReader();
  const { question } = useAsker();
  const [isLong, setLong] = useState(false);
  const { data, error, refetch } = useGroups(question, [grouping], isDue);
  const groups = (data ?? []).toSorted(
    (one, other) => valueIn(other, measure) - valueIn(one, measure),
  );
  const sum = sumOf(groups, measure);
  const shown = groups.slice(0, isLong ? AT_MOST : AT_FIRST);
  const rest = groups.length - shown.length;
  return (
    <section className="top-groups card" aria-label={texts.glance.top[grouping]}>
      <h2>{texts.glance.top[grouping]}</h2>
      {error !== null && <ErrorNotice error={error} again={() => void refetch()} />}
      {data?.length === 0 && <p className="soft">{texts.glance.empty}</p>}
      <ol>
        {shown.map((group) => (
          <li key={String(group[grouping])}>
            <GroupButton group={group} grouping={grouping} measure={measure} sum={sum} />
          </li>
        ))}
      </ol>
      {(rest > 0 || isLong) && (
        <button type="button" className="quiet small" onClick={() => setLong(!isLong)}>
          {isLong ? texts.glance.fewer : texts.glance.others(formats.count(rest))}
        </button>
      )}
    </section>
  );
}

interface GroupButtonProps extends Omit<TopProps, 'isDue'> {
  readonly group: Values;
  readonly sum: number;
}

function GroupButton({ group, grouping, measure, sum }: GroupButtonProps) {
  const { texts, formats } = useReader();
  const { view, change } = useAsker();
  const value = group[grouping] ?? null;
  const code = String(value);
  const known = grouping === 'country' ? formats.country(code) : code;
  const name = value === null ? texts.glance.unknown : known;
  const share = sum === 0 ? 0 : valueIn(group, measure) / sum;
  return (
    <button
      type="button"
      className="group"
      // Nothing can be asked for that has no value.
      disabled={value === null}
      aria-pressed={view.filters[grouping] === code}
      title={value === null ? undefined : texts.glance.only(name)}
      onClick={() => change({ filters: { ...view.filters, [grouping]: code } })}
    >
      <span className="group-name">{name}</span>
      <span className="group-value">{written(valueIn(group, measure), measure, formats)}</span>
      <span className="group-share soft">{formats.share(share)}</span>
      <span className="group-bar" style={{ scale: `${share} 1` }} />
    </button>
  );
}

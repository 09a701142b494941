/** Where most of it comes from: the largest groups by one field, each a button that narrows down to it. */

import { useRef, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import type { Values } from '../query/question.ts';
import type { Formats } from '../ui/formats.ts';
import { type Measure, sumOf, valueIn, written } from './measures.ts';
import { isFilterOn, toggleFilter } from './toggle-filter.ts';
import { useGroups } from './use-groups.ts';

interface TopProps {
  readonly grouping: 'program_id' | 'publisher_id' | 'country' | 'device_type';
  readonly measure: Measure;
  /** After what the reader looks at first. */
  readonly isDue: boolean;
}

const AT_FIRST = 5;
const SHADES = ['a', 'b', 'c', 'd', 'e'];
/** How many more are shown at a press. */
const STEP = 45;

export function TopGroups({ grouping, measure, isDue }: TopProps) {
  const { texts } = useReader();
  const { question } = useAccess();
  const [most, setMost] = useState(AT_FIRST);
  const { data, error, isPlaceholderData: isOld } = useGroups(question, [grouping], isDue);
  const groups = (data ?? []).toSorted(
    (one, other) => valueIn(other, measure) - valueIn(one, measure),
  );
  const sum = sumOf(groups, measure);
  const shown = groups.slice(0, most);
  return (
    <section
      className={isOld ? 'top-groups card old' : 'top-groups card'}
      aria-label={texts.glance.top[grouping]}
      aria-busy={isOld || (data === undefined && error === null)}
    >
      <h2>{texts.glance.top[grouping]}</h2>
      <ol>
        {data?.length === 0 && <li className="soft top-empty">{texts.glance.empty}</li>}
        {data === undefined &&
          error === null &&
          SHADES.map((shade) => (
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
      <More rest={groups.length - shown.length} most={most} show={setMost} />
    </section>
  );
}

interface MoreProps {
  /** How many there are besides. */
  readonly rest: number;
  readonly most: number;
  show(most: number): void;
}

/** The first button stays, whatever it says, so that the keyboard is not lost. */
function More({ rest, most, show }: MoreProps) {
  const { texts, formats } = useReader();
  const first = useRef<HTMLButtonElement>(null);
  const isLong = most > AT_FIRST;
  const fold = () => {
    first.current?.focus();
    show(AT_FIRST);
  };
  return (
    <div className="top-more">
      {(rest > 0 || isLong) && (
        <button
          ref={first}
          type="button"
          className="quiet small"
          onClick={() => (rest > 0 ? show(most + STEP) : fold())}
        >
          {rest > 0 ? texts.glance.others(formats.count(rest)) : texts.glance.fewer}
        </button>
      )}
      {rest > 0 && isLong && (
        <button type="button" className="quiet small" onClick={fold}>
          {texts.glance.fewer}
        </button>
      )}
    </div>
  );
}

type Naming = (code: string, formats: Formats) => string;

const NAMES: Readonly<Record<TopProps['grouping'], Naming>> = {
  program_id: (id) => id,
  publisher_id: (id) => id,
  country: (code, formats) => formats.country(code),
  device_type: (type, formats) => formats.device(type),
};

interface GroupButtonProps extends Omit<TopProps, 'isDue'> {
  readonly group: Values;
  readonly sum: number;
}

function GroupButton({ group, grouping, measure, sum }: GroupButtonProps) {
  const { texts, formats } = useReader();
  const { view, change } = useAccess();
  const value = group[grouping] ?? null;
  const code = String(value);
  const name = value === null ? texts.glance.unknown : NAMES[grouping](code, formats);
  const isPressed = value !== null && isFilterOn(view.filters, grouping).includes(code);
  const pressed = isPressed ? texts.ask.remove(name) : texts.glance.only(name);
  const share = sum === 0 ? 0 : valueIn(group, measure) / sum;
  return (
    <button
      type="button"
      className="group"
      // Nothing can be asked for that has no value.
      disabled={value === null}
      aria-pressed={isPressed}
      title={value === null ? undefined : pressed}
      onClick={() => change({ filters: toggleFilter(view.filters, grouping, code) })}
    >
      <span className="group-name">{name}</span>
      <span className="group-value">{written(valueIn(group, measure), measure, formats)}</span>
      <span className="group-share soft">{formats.share(share)}</span>
      <span className="group-bar" style={{ scale: `${share} 1` }} />
    </button>
  );
}

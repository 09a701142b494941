/** Top groups by one field, and a button that opens all of them. */

import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { GroupButton, type TopGrouping } from './group-button.tsx';
import { GroupsSheet } from './groups-sheet.tsx';
import { measureValue, type SummaryMeasure, sumOf } from './measures.ts';
import { useGroups } from './use-groups.ts';

interface TopGroupsProps {
  readonly grouping: TopGrouping;
  readonly measure: SummaryMeasure;
  /** False until the totals have arrived, so that this request does not delay them. */
  readonly isEnabled: boolean;
}

const SHOWN = 5;
const PLACEHOLDERS = ['a', 'b', 'c', 'd', 'e'];

export function TopGroups({ grouping, measure, isEnabled }: TopGroupsProps) {
  const { texts, formats } = useLocalization();
  const { query } = useExplorer();
  const [isOpen, setOpen] = useState(false);
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, isPlaceholderData: isStale } = useGroups(query, [grouping], isEnabled);
  const groups = (data ?? []).toSorted(
    (one, other) => measureValue(other, measure) - measureValue(one, measure),
  );
  // The filter may hide the button that opened the sheet, so the heading takes the focus.
  const closeAfterFilter = () => {
    flushSync(() => setOpen(false));
    heading.current?.focus();
  };
  const sum = sumOf(groups, measure);
  const rest = groups.length - SHOWN;
  return (
    <section
      className={isStale ? 'top-groups card old' : 'top-groups card'}
      aria-label={texts.glance.top[grouping]}
      aria-busy={isStale || (data === undefined && error === null)}
    >
      <h2 ref={heading} id={headingId} tabIndex={-1}>
        {texts.glance.top[grouping]}
      </h2>
      <ol>
        {data?.length === 0 && <li className="soft top-empty">{texts.glance.empty}</li>}
        {data === undefined &&
          error === null &&
          PLACEHOLDERS.map((shade) => (
            <li key={shade} className="group-shade">
              <span className="shade" />
            </li>
          ))}
        {groups.slice(0, SHOWN).map((group) => (
          <li key={String(group[grouping])}>
            <GroupButton group={group} grouping={grouping} measure={measure} sum={sum} />
          </li>
        ))}
      </ol>
      <div className="top-more">
        {rest > 0 && (
          <button
            type="button"
            className="quiet small"
            aria-haspopup="dialog"
            aria-describedby={headingId}
            onClick={() => setOpen(true)}
          >
            {texts.glance.others(formats.count(rest))}
          </button>
        )}
      </div>
      {isOpen && (
        <GroupsSheet
          grouping={grouping}
          measure={measure}
          groups={groups}
          close={() => setOpen(false)}
          onFilter={closeAfterFilter}
        />
      )}
    </section>
  );
}

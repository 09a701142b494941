/** All groups of a top list in a sheet, with a search by name. */

import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocalization } from '../layout/localization-context.tsx';
import type { ResultRow } from '../query/api-query.ts';
import { searchGroups } from '../ui/search-groups.ts';
import { Sheet } from '../ui/sheet.tsx';
import { GroupButton, type TopGrouping } from './group-button.tsx';
import { type SummaryMeasure, sumOf } from './measures.ts';

interface GroupsSheetProps {
  readonly grouping: TopGrouping;
  readonly measure: SummaryMeasure;
  /** All groups, the largest first. */
  readonly groups: readonly ResultRow[];
  close(): void;
  /** Called after the filter has changed. */
  onFilter(): void;
}

/** How many more groups a click shows. */
const STEP = 100;

export function GroupsSheet({ grouping, measure, groups, close, onFilter }: GroupsSheetProps) {
  const { texts, formats } = useLocalization();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(STEP);
  const list = useRef<HTMLOListElement>(null);
  // The button disappears with the last step, so the first new group takes the focus.
  const showMore = () => {
    flushSync(() => setLimit(limit + STEP));
    list.current?.children[limit]?.querySelector('button')?.focus();
  };
  const found = searchGroups(search, groups, grouping, formats);
  const sum = sumOf(groups, measure);
  return (
    <Sheet title={`${texts.glance.top[grouping]} · ${measure.title(texts)}`} close={close}>
      <input
        type="search"
        aria-label={texts.performance.search}
        placeholder={texts.performance.search}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          setLimit(STEP);
        }}
      />
      <p className="soft small" role="status">
        {texts.performance.found(formats.count(found.length))}
      </p>
      <ol ref={list} className="group-list">
        {found.slice(0, limit).map((group) => (
          <li key={String(group[grouping])}>
            <GroupButton
              group={group}
              grouping={grouping}
              measure={measure}
              sum={sum}
              hasId
              onFilter={onFilter}
            />
          </li>
        ))}
      </ol>
      {found.length > limit && (
        <button type="button" onClick={showMore}>
          {texts.glance.others(formats.count(found.length - limit))}
        </button>
      )}
    </Sheet>
  );
}

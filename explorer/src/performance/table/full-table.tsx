/** The whole performance table in a sheet, with a search by name and a download. */

import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocalization } from '../../layout/localization-context.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { searchGroups } from '../../ui/search-groups.ts';
import { Sheet } from '../../ui/sheet.tsx';
import { CsvButton } from './csv-button.tsx';
import { PerformanceTable } from './performance-table.tsx';
import { TabChoice } from './tab-choice.tsx';
import { type TableQuery, useTableRows } from './use-table.ts';

/** Rows that the sheet requests. The search finds only these. */
const LIMIT = 1000;
/** How many more rows a click shows. */
const STEP = 100;

interface FullTableProps {
  readonly table: TableQuery;
  close(): void;
}

export function FullTable({ table, close }: FullTableProps) {
  const { texts, formats } = useLocalization();
  const id = useId();
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(STEP);
  const { data, error, isPlaceholderData, refetch } = useTableRows(table, LIMIT);
  const list = useRef<HTMLDivElement>(null);
  // The button disappears with the last step, so the first new row takes the focus. Rows without a button cannot
  // have it, so the table takes it.
  const showMore = () => {
    flushSync(() => setLimit(limit + STEP));
    const row = list.current?.querySelectorAll('tbody tr')[limit];
    const target =
      row?.querySelector('button') ?? list.current?.querySelector<HTMLElement>('[tabindex]');
    target?.focus();
  };
  const found = searchGroups(search, data ?? [], table.tab.grouping, formats);
  const { performance } = texts;
  return (
    <Sheet title={performance.tables} isWide close={close}>
      <div className="tables-head">
        <TabChoice />
        <input
          type="search"
          aria-label={performance.search}
          placeholder={performance.search}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value);
            setLimit(STEP);
          }}
        />
        <CsvButton table={table} />
      </div>
      {error !== null && <ErrorNotice error={error} retry={() => void refetch()} />}
      <p id={id} className="soft small" role="status">
        {data === undefined ? texts.loading : performance.found(formats.count(found.length))}
        {data?.length === LIMIT && ` · ${performance.first(formats.count(LIMIT))}`}
      </p>
      <div ref={list} className={isPlaceholderData ? 'old' : undefined}>
        {found.length > 0 && (
          <PerformanceTable table={table} rows={found.slice(0, limit)} title={id} hasIds />
        )}
      </div>
      {found.length > limit && (
        <button type="button" onClick={showMore}>
          {texts.glance.others(formats.count(found.length - limit))}
        </button>
      )}
    </Sheet>
  );
}

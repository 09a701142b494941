/** The performance table with its tabs: the first rows, and a button for all of them. */

import { Suspense, useId } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import { lazySheet } from '../../layout/lazy-sheet.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { PerformanceTable } from './performance-table.tsx';
import { TabChoice } from './tab-choice.tsx';
import { FIRST_ROWS, useTableQuery, useTableRows } from './use-table.ts';
import { useTrends } from './use-trends.ts';

/** Loaded when it is opened. */
const FullTable = lazySheet(async () => (await import('./full-table.tsx')).FullTable);

/** On phones, each row is a card, which is higher than a table row. */
const SHOWN = { wide: 8, narrow: 4 };

/** `isEnabled` is false until the totals have arrived, so that other requests do not delay them. */
export function TablesCard({ isEnabled }: { readonly isEnabled: boolean }) {
  const { texts } = useLocalization();
  const { view, change } = useExplorer();
  const table = useTableQuery();
  const { data, error, isPlaceholderData } = useTableRows(table, FIRST_ROWS, isEnabled);
  const isNarrow = useNarrow();
  const id = useId();
  const isBusy = isPlaceholderData || (data === undefined && error === null);
  // The previous rows may be those of another tab.
  const rows = data
    ?.filter((row) => table.tab.grouping in row)
    .slice(0, isNarrow ? SHOWN.narrow : SHOWN.wide);
  const trends = useTrends(table, isPlaceholderData ? undefined : rows);
  return (
    <section className="tables card" aria-busy={isBusy}>
      <header className="tables-head">
        <h2 id={id}>{texts.performance.tables}</h2>
        <TabChoice />
      </header>
      <div className={isPlaceholderData ? 'tables-body old' : 'tables-body'}>
        {rows !== undefined && rows.length > 0 && (
          <PerformanceTable table={table} rows={rows} title={id} trends={trends} />
        )}
        {data?.length === 0 && <p className="soft">{texts.glance.empty}</p>}
      </div>
      <div>
        <button type="button" className="quiet" onClick={() => change({ isFull: true })}>
          {texts.performance.more}
        </button>
      </div>
      {view.isFull && (
        <Suspense>
          <FullTable table={table} close={() => change({ isFull: false })} />
        </Suspense>
      )}
    </section>
  );
}

/** Transaction list: its header, states and grid. */

import { useExplorer } from '../access/explorer-context.tsx';
import { ExportSheet } from '../export/export-sheet.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { useGroups } from '../overview/use-groups.ts';
import { focusList, useRefetchAll } from '../service/retry-requests.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { ColumnPicker } from './column-picker.tsx';
import { useColumns } from './columns.ts';
import { Freshness } from './freshness.tsx';
import { Grid } from './grid/grid.tsx';
import { RowSheet } from './row/row-sheet.tsx';
import { useOpenedRow } from './row/use-opened-row.ts';
import { SortChoice } from './sort-choice.tsx';
import { useRowSource } from './use-row-source.ts';

/** The list needs the count of each day to find a row by its number. */
const BY_DAY = ['day'];

/** Requests the counts of days before everything else, so that the first rows arrive early. */
export function TransactionListPrefetch() {
  const { query } = useExplorer();
  useGroups(query, BY_DAY);
  return null;
}

interface TransactionListProps {
  endAccess(error: unknown): void;
}

export function TransactionList({ endAccess }: TransactionListProps) {
  const { texts, formats } = useLocalization();
  const { service, view, query } = useExplorer();
  const refetch = useRefetchAll();
  const isNarrow = useNarrow();
  const columns = useColumns(service.role, view);
  const days = useGroups(query, BY_DAY);
  const current = days.isPlaceholderData ? undefined : days.data;
  const {
    source: newest,
    previous,
    error,
    reload,
    wasRecounted,
  } = useRowSource(current, days.dataUpdatedAt, columns, endAccess);
  // The previous rows stay visible until the next ones arrive or fail.
  const source = newest ?? (days.error === null ? previous : undefined);
  const isStale = source !== undefined && newest === undefined;
  const { opened, shownPlace, ...rows } = useOpenedRow(source);
  const retry = () => {
    focusList();
    reload();
    refetch();
  };
  return (
    <section
      className="list card"
      id="list"
      aria-labelledby="list-title"
      aria-busy={newest === undefined && days.error === null}
    >
      <header className="list-head">
        <div>
          <h2 id="list-title" tabIndex={-1} className={isStale ? 'old' : undefined}>
            {source === undefined
              ? texts.list.title
              : texts.list.count(source.count, formats.count(source.count))}
          </h2>
          <Freshness
            loadedAt={current === undefined ? undefined : days.dataUpdatedAt}
            isLoading={days.isFetching}
          />
        </div>
        {isNarrow && <SortChoice columns={columns.shown} />}
        <ColumnPicker columns={columns} />
        <ExportSheet count={newest?.count} />
      </header>
      {/* Always rendered, because screen readers may miss a new live region. */}
      <div role="status">{wasRecounted && <p className="note small">{texts.list.changed}</p>}</div>
      {error !== null && <ErrorNotice error={error} retry={retry} />}
      {source === undefined && days.error === null && <Placeholder />}
      {source === undefined && days.error !== null && <p className="empty">{texts.list.unread}</p>}
      {source?.count === 0 && (
        <div className="empty">
          <p>
            <strong>{texts.list.empty}</strong>
          </p>
          <p className="soft">
            {Object.keys(view.filters).length === 0 ? texts.list.emptyPeriod : texts.list.emptyNext}
          </p>
        </div>
      )}
      {source !== undefined && source.count > 0 && (
        <Grid
          key={JSON.stringify(source.query)}
          source={source}
          isStale={isStale}
          order={`${view.order} ${view.listSort}`}
          columns={columns.shown}
          openedPlace={shownPlace}
          open={rows.open}
        />
      )}
      {opened !== undefined && (
        <RowSheet opened={opened} count={source?.count} open={rows.open} close={rows.close} />
      )}
    </section>
  );
}

const PLACEHOLDER_ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

function Placeholder() {
  const { texts } = useLocalization();
  return (
    <div className="waiting" role="status">
      <span className="hidden">{texts.loading}</span>
      {PLACEHOLDER_ROWS.map((row) => (
        <span key={row} className="shade" />
      ))}
    </div>
  );
}

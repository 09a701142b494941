/** All transactions of the question, however many. */

import { useAccess } from '../access/access-context.tsx';
import { ExportSheet } from '../export/export-sheet.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { useGroups } from '../overview/use-groups.ts';
import { focusList, useRetryRequests } from '../service/retry-requests.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { ColumnPicker } from './column-picker.tsx';
import { useColumns } from './columns.ts';
import { Freshness } from './freshness.tsx';
import { Grid } from './grid/grid.tsx';
import { useRowSource } from './use-row-source.ts';

/** What the list is found its way in by. */
const BY_DAY = ['day'];

/** Asks for that before everything else, so that the first rows are soon there. */
export function TransactionListPrefetch() {
  const { question } = useAccess();
  useGroups(question, BY_DAY);
  return null;
}

interface ListProps {
  leave(reason: unknown): void;
}

export function TransactionList({ leave }: ListProps) {
  const { texts, formats } = useReader();
  const { service, view, question } = useAccess();
  const askAgain = useRetryRequests();
  const columns = useColumns(service.role, view);
  const days = useGroups(question, BY_DAY);
  const current = days.isPlaceholderData ? undefined : days.data;
  const {
    source: read,
    kept,
    error,
    retry,
    isReread,
  } = useRowSource(current, days.dataUpdatedAt, columns, leave);
  // What was read before stays in sight until the next is there, and no longer where it does not come.
  const source = read ?? (days.error === null ? kept : undefined);
  const isOld = source !== undefined && read === undefined;
  const again = () => {
    focusList();
    retry();
    askAgain();
  };
  return (
    <section
      className="list card"
      id="list"
      aria-labelledby="list-title"
      aria-busy={read === undefined && days.error === null}
    >
      <header className="list-head">
        <div>
          <h2 id="list-title" tabIndex={-1} className={isOld ? 'old' : undefined}>
            {source === undefined
              ? texts.list.title
              : texts.list.count(source.count, formats.count(source.count))}
          </h2>
          <Freshness
            readAt={current === undefined ? undefined : days.dataUpdatedAt}
            isReading={days.isFetching}
          />
        </div>
        <ColumnPicker columns={columns} />
        <ExportSheet count={read?.count} />
      </header>
      {/* There before it says anything, as else it might not be heard. */}
      <div role="status">{isReread && <p className="note small">{texts.list.changed}</p>}</div>
      {error !== null && <ErrorNotice error={error} again={again} />}
      {source === undefined && days.error === null && <Waiting />}
      {source === undefined && days.error !== null && <p className="empty">{texts.list.unread}</p>}
      {source?.count === 0 && (
        <div className="empty">
          <p>
            <strong>{texts.list.empty}</strong>
          </p>
          <p className="soft">{texts.list.emptyNext}</p>
        </div>
      )}
      {source !== undefined && source.count > 0 && (
        <Grid
          key={JSON.stringify(source.question)}
          source={source}
          isOld={isOld}
          order={view.order}
          columns={columns.shown}
        />
      )}
    </section>
  );
}

const WAITING_ROWS = ['a', 'b', 'c', 'd', 'e', 'f'];

function Waiting() {
  const { texts } = useReader();
  return (
    <div className="waiting" role="status">
      <span className="hidden">{texts.loading}</span>
      {WAITING_ROWS.map((row) => (
        <span key={row} className="shade" />
      ))}
    </div>
  );
}

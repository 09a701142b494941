/** All transactions of the question, however many. */

import { useAsker } from '../asker.tsx';
import { useGroups } from '../glance/use-groups.ts';
import { ErrorNotice } from '../notice.tsx';
import { useReader } from '../reader.tsx';
import { TakeAway } from '../take/take-away.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { useColumns } from './columns.ts';
import { Grid } from './grid.tsx';
import { useRowSource } from './use-row-source.ts';

/** What the list is found its way in by. */
const BY_DAY = ['day'];

/** Asks for that before everything else, so that the first rows are soon there. */
export function ListAhead() {
  const { question } = useAsker();
  useGroups(question, BY_DAY);
  return null;
}

interface ListProps {
  leave(reason: unknown): void;
}

export function List({ leave }: ListProps) {
  const { texts, formats } = useReader();
  const { service, view, question } = useAsker();
  const columns = useColumns(service.role, view);
  const days = useGroups(question, BY_DAY);
  const current = days.isPlaceholderData ? undefined : days.data;
  const { source: read, kept, error, retry, isReread } = useRowSource(current, columns, leave);
  // What was read before stays in sight until the next is there, and no longer where it does not come.
  const source = read ?? (days.error === null ? kept : undefined);
  const failure = days.error ?? error;
  const again = () => {
    if (days.error !== null) void days.refetch();
    retry();
  };
  return (
    <section
      className="list card"
      id="list"
      aria-labelledby="list-title"
      aria-busy={read === undefined}
    >
      <header className="list-head">
        <div>
          <h2 id="list-title" tabIndex={-1}>
            {source === undefined
              ? texts.list.title
              : texts.list.count(source.count, formats.count(source.count))}
          </h2>
          <p className="soft small">{texts.list.clock(service.me.time_zone)}</p>
        </div>
        <ColumnChoice columns={columns} />
        <TakeAway count={source?.count ?? 0} />
      </header>
      {isReread && <p className="note small">{texts.list.changed}</p>}
      {failure !== null && failure !== undefined && <ErrorNotice error={failure} again={again} />}
      {source === undefined && failure === null && <Waiting />}
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
          key={JSON.stringify([question, view.order])}
          source={source}
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

/** All transactions of the question, however many. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAsker } from '../asker.tsx';
import { useGroups } from '../glance/use-groups.ts';
import { ErrorNotice } from '../notice.tsx';
import { useReader } from '../reader.tsx';
import { endsAccess } from '../refusals.ts';
import { TakeAway } from '../take/take-away.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { type Columns, fieldsFor, useColumns } from './columns.ts';
import { Grid } from './grid.tsx';
import { RowSource } from './row-source.ts';
import { segmentsOf } from './segments.ts';

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
  const columns = useColumns(service.role, view.kind);
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

/** Milliseconds within which the list is not read anew twice. */
const PATIENCE = 10_000;

function useRowSource(
  groups: Parameters<typeof segmentsOf>[0] | undefined,
  columns: Columns,
  leave: (reason: unknown) => void,
) {
  const { service, view, question } = useAsker();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [rereadAt, setRereadAt] = useState(0);
  const latest = useRef(rereadAt);
  const fields = fieldsFor(service.role, columns);
  const latestSource = useRef<RowSource>(undefined);
  const source = useMemo(() => {
    if (groups === undefined) return undefined;
    return new RowSource({
      segments: segmentsOf(groups, view.order),
      question: { ...question, order: view.order, fields },
      read: async (asked, options) => await service.transactions.page(asked, options),
      failed: (reason) => (endsAccess(reason) ? leave(reason) : setError(reason)),
      changed: () => {
        if (Date.now() - latest.current < PATIENCE) return;
        latest.current = Date.now();
        setRereadAt(latest.current);
        void queries.invalidateQueries({ queryKey: ['groups'] });
      },
    });
  }, [groups, view.order, question, fields, service, queries, leave]);
  useEffect(() => {
    setError(null);
    latestSource.current = source ?? latestSource.current;
    return () => source?.close();
  }, [source]);
  const retry = () => {
    setError(null);
    source?.retry();
  };
  return { source, kept: latestSource.current, error, retry, isReread: rereadAt > 0 };
}

/** React hook for the rows of the query; recounts them when they have changed since the count. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { sortText } from '../../../src/contract/query/sorting/sort.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import type { ApiQuery, ResultRow } from '../query/api-query.ts';
import { endsAccess } from '../service/error-messages.ts';
import { useRetryWhenOnline } from '../service/retry-requests.ts';
import { type Columns, fieldsFor } from './columns.ts';
import { sortOfView } from './list-sort.ts';
import { RowSource } from './row-source.ts';
import { segmentsOf, wholeSegment } from './segments.ts';

export interface RowSourceState {
  /** Undefined until the counts of days have arrived. */
  readonly source: RowSource | undefined;
  /** The rows of the previous query, if it had the same kind. */
  readonly previous: RowSource | undefined;
  readonly error: unknown;
  /** Whether the rows changed after the first count. */
  readonly wasRecounted: boolean;
  reload(): void;
}

export function useRowSource(
  groups: readonly ResultRow[] | undefined,
  /** When the rows were counted. A new count reloads them. */
  countedAt: number,
  columns: Columns,
  endAccess: (error: unknown) => void,
): RowSourceState {
  const { service, view, query } = useExplorer();
  const [error, setError] = useState<unknown>(null);
  const { recountedQuery, recount } = useRecount();
  const latest = useRef<RowSource>(undefined);
  const fields = fieldsFor(service.role, columns);
  const sorted = sortOfView(service.role, view);
  const sort = sorted === undefined ? undefined : sortText(sorted);
  const source = useMemo(() => {
    if (groups === undefined) return undefined;
    return new RowSource({
      query,
      segments: sort === undefined ? segmentsOf(groups, view.order) : wholeSegment(groups),
      order: view.order,
      sort,
      fetchPage: async (parameters, signal) =>
        await service.transactions.page({ ...query, fields, ...parameters }, { signal }),
      onError: (reason) => (endsAccess(reason) ? endAccess(reason) : setError(reason)),
      onOutdated: () => recount(query),
    });
  }, [groups, view.order, sort, query, fields, service, endAccess, recount]);
  useEffect(() => {
    setError(null);
    latest.current = source ?? latest.current;
    return () => source?.close();
  }, [source]);
  const reload = useCallback(() => {
    setError(null);
    source?.reload();
  }, [source]);
  const lastRender = useRef({ source, countedAt });
  useEffect(() => {
    const before = lastRender.current;
    lastRender.current = { source, countedAt };
    if (before.source === source && before.countedAt !== countedAt) reload();
  }, [source, countedAt, reload]);
  useRetryWhenOnline(error !== null, reload);
  const previous = latest.current?.query.type === query.type ? latest.current : undefined;
  return { source, previous, error, reload, wasRecounted: recountedQuery === query };
}

/** The minimum number of milliseconds between two counts. */
const RECOUNT_INTERVAL = 10_000;

/** Requests new counts, at most once per interval. */
function useRecount() {
  const queries = useQueryClient();
  const [recountedQuery, setRecountedQuery] = useState<ApiQuery>();
  const recountedAt = useRef(0);
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const recount = useMemo(
    () => (query: ApiQuery) => {
      clearTimeout(timer.current);
      timer.current = window.setTimeout(
        () => {
          recountedAt.current = Date.now();
          setRecountedQuery(query);
          void queries.invalidateQueries({ queryKey: ['groups'] });
        },
        Math.max(0, recountedAt.current + RECOUNT_INTERVAL - Date.now()),
      );
    },
    [queries],
  );
  return { recountedQuery, recount };
}

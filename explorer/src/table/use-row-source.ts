/** The rows of what is asked, read anew where they have changed since they were counted. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import type { Question, Values } from '../query/question.ts';
import { endsAccess } from '../service/error-messages.ts';
import { useRetryWhenOnline } from '../service/retry-requests.ts';
import { type Columns, fieldsFor } from './columns.ts';
import { RowSource } from './row-source.ts';
import { segmentsOf } from './segments.ts';

export interface RowsOfQuestion {
  /** Undefined until it is known how many rows each day has. */
  readonly source: RowSource | undefined;
  /** Of what was asked before, where that was of the same kind. */
  readonly kept: RowSource | undefined;
  readonly error: unknown;
  readonly isReread: boolean;
  retry(): void;
}

export function useRowSource(
  groups: readonly Values[] | undefined,
  /** When they were counted last; their rows are read anew with them. */
  countedAt: number,
  columns: Columns,
  leave: (reason: unknown) => void,
): RowsOfQuestion {
  const { service, view, question } = useAccess();
  const [error, setError] = useState<unknown>(null);
  const { rereadOf, reread } = useRereading();
  const latest = useRef<RowSource>(undefined);
  const fields = fieldsFor(service.role, columns);
  const source = useMemo(() => {
    if (groups === undefined) return undefined;
    return new RowSource({
      question,
      segments: segmentsOf(groups, view.order),
      order: view.order,
      read: async (place, signal) =>
        await service.transactions.page({ ...question, fields, ...place }, { signal }),
      failed: (reason) => (endsAccess(reason) ? leave(reason) : setError(reason)),
      changed: () => reread(question),
    });
  }, [groups, view.order, question, fields, service, leave, reread]);
  useEffect(() => {
    setError(null);
    latest.current = source ?? latest.current;
    return () => source?.close();
  }, [source]);
  const retry = useCallback(() => {
    setError(null);
    source?.reread();
  }, [source]);
  const readOf = useRef({ source, countedAt });
  useEffect(() => {
    const before = readOf.current;
    readOf.current = { source, countedAt };
    if (before.source === source && before.countedAt !== countedAt) retry();
  }, [source, countedAt, retry]);
  useRetryWhenOnline(error !== null, retry);
  const kept = latest.current?.question.type === question.type ? latest.current : undefined;
  return { source, kept, error, retry, isReread: rereadOf === question };
}

/** Milliseconds from one time that the rows are counted anew to the next. */
const PATIENCE = 10_000;

function useRereading() {
  const queries = useQueryClient();
  const [rereadOf, setRereadOf] = useState<Question>();
  const at = useRef(0);
  const timer = useRef<number>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const reread = useMemo(
    () => (question: Question) => {
      clearTimeout(timer.current);
      timer.current = window.setTimeout(
        () => {
          at.current = Date.now();
          setRereadOf(question);
          void queries.invalidateQueries({ queryKey: ['groups'] });
        },
        Math.max(0, at.current + PATIENCE - Date.now()),
      );
    },
    [queries],
  );
  return { rereadOf, reread };
}

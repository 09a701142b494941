/** What of the question was not answered: one notice for each reason, whatever parts of the page lack their answers. */

import { notifyManager, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { useReader } from '../layout/reader-context.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Refusal, refusalOf } from './error-messages.ts';
import { focusList, useRetryRequests, useRetryWhenOnline } from './retry-requests.ts';

export function FailedRequests() {
  const { texts } = useReader();
  const errors = useFailures(useQueryClient().getQueryCache());
  const ask = useRetryRequests();
  useRetryWhenOnline(errors.length > 0, ask);
  const again = () => {
    focusList();
    ask();
  };
  const reasons = new Map<string, Refusal>();
  for (const error of errors) {
    const refusal = refusalOf(error, texts);
    // However long each has to wait.
    const reason = refusal.isPassing ? refusal.what : `${refusal.what} ${refusal.next}`;
    if (!reasons.has(reason)) reasons.set(reason, refusal);
  }
  return [...reasons].map(([reason, refusal]) => (
    <Notice key={reason} refusal={refusal} again={again} />
  ));
}

/** Why what the page shows of the question could not be asked. */
function useFailures(cache: QueryCache): readonly unknown[] {
  const latest = useRef<readonly unknown[]>([]);
  const look = useCallback(() => {
    const errors = cache
      .findAll({ queryKey: ['groups'], type: 'active' })
      .flatMap(({ state }) => (state.error === null ? [] : [state.error]));
    const { current } = latest;
    const isSame =
      errors.length === current.length && errors.every((error, at) => error === current[at]);
    if (!isSame) latest.current = errors;
    return latest.current;
  }, [cache]);
  return useSyncExternalStore(
    useCallback((listener) => cache.subscribe(notifyManager.batchCalls(listener)), [cache]),
    look,
  );
}

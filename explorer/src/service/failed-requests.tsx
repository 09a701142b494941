/** Notices for failed requests of the overview: one for each distinct error. */

import { notifyManager, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { Notice } from '../ui/notice.tsx';
import { type ErrorMessage, errorMessageOf } from './error-messages.ts';
import { focusList, useRefetchAll, useRetryWhenOnline } from './retry-requests.ts';

export function FailedRequests() {
  const { texts } = useLocalization();
  const errors = useQueryErrors(useQueryClient().getQueryCache());
  const refetch = useRefetchAll();
  useRetryWhenOnline(errors.length > 0, refetch);
  const retry = () => {
    focusList();
    refetch();
  };
  const messages = new Map<string, ErrorMessage>();
  for (const error of errors) {
    const message = errorMessageOf(error, texts);
    // Temporary errors that differ only in their waiting time get one notice.
    const key = message.isTemporary ? message.what : `${message.what} ${message.next}`;
    if (!messages.has(key)) messages.set(key, message);
  }
  return [...messages].map(([key, message]) => (
    <Notice key={key} message={message} retry={retry} />
  ));
}

/** Queries of the overview, by the beginning of their keys. */
const SHOWN: readonly unknown[] = ['groups', 'performance'];

/** The errors of the overview's active queries. */
function useQueryErrors(cache: QueryCache): readonly unknown[] {
  const latest = useRef<readonly unknown[]>([]);
  const currentErrors = useCallback(() => {
    const errors = cache
      .findAll({ type: 'active', predicate: ({ queryKey }) => SHOWN.includes(queryKey[0]) })
      .flatMap(({ state }) => (state.error === null ? [] : [state.error]));
    const { current } = latest;
    const isSame =
      errors.length === current.length && errors.every((error, at) => error === current[at]);
    if (!isSame) latest.current = errors;
    return latest.current;
  }, [cache]);
  return useSyncExternalStore(
    useCallback((listener) => cache.subscribe(notifyManager.batchCalls(listener)), [cache]),
    currentErrors,
  );
}

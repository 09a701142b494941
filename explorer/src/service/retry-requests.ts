/** React hooks that repeat requests, by hand or when the browser is online again. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { checkClock } from '../query/today.ts';

/** Refetches everything that the page shows. */
export function useRefetchAll(): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    checkClock();
    void queries.invalidateQueries();
  }, [queries]);
}

/** Retries failed requests as soon as the browser is online again. */
export function useRetryWhenOnline(hasFailed: boolean, retry: () => void): void {
  useEffect(() => {
    if (!hasFailed) return;
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [hasFailed, retry]);
}

/** Focuses the list, for example because the focused button disappears with its notice. */
export const focusList = (): void =>
  document.getElementById('list-title')?.focus({ preventScroll: true });

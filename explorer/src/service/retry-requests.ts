/** Asks everything that is in sight again: because it failed, or because it may be old. */

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { watchClock } from '../query/today.ts';

export function useRetryRequests(): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    watchClock();
    void queries.invalidateQueries();
  }, [queries]);
}

/** What failed is asked again as soon as the browser is back on the network. */
export function useRetryWhenOnline(hasFailed: boolean, again: () => void): void {
  useEffect(() => {
    if (!hasFailed) return;
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [hasFailed, again]);
}

/** A notice that goes away with the button in it leaves the keyboard where the answer will be. */
export const focusList = (): void =>
  document.getElementById('list-title')?.focus({ preventScroll: true });

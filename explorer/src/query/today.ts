/** React hook for today's date in the platform's time zone, updated at midnight. */

import { useCallback, useSyncExternalStore } from 'react';
import { Temporal } from 'temporal-polyfill';

/** Milliseconds between two checks of the clock. */
const CHECK_INTERVAL = 60_000;

const listeners = new Set<() => void>();

/** Updates today's date now, not only at the next check. */
export function checkClock(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const timer = setInterval(listener, CHECK_INTERVAL);
  document.addEventListener('visibilitychange', listener);
  return () => {
    listeners.delete(listener);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** `YYYY-MM-DD`. */
export const useToday = (timeZone: string): string =>
  useSyncExternalStore(
    subscribe,
    useCallback(() => String(Temporal.Now.plainDateISO(timeZone)), [timeZone]),
  );

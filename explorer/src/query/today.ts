/** The day on the platform's clock, also of a page that stays open over midnight. */

import { useCallback, useSyncExternalStore } from 'react';
import { Temporal } from 'temporal-polyfill';

/** Milliseconds from one look at the clock to the next. */
const EVERY = 60_000;

const listeners = new Set<() => void>();

/** For whoever wants to see how things are now. */
export function watchClock(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const timer = setInterval(listener, EVERY);
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

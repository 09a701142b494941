/** React hook for screens of phones, which have cards instead of tables. */

import { useSyncExternalStore } from 'react';

/** The same breakpoint as in the style sheets. */
const NARROW = matchMedia('(max-width: 40rem)');

const subscribe = (listener: () => void): (() => void) => {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
};

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => NARROW.matches);

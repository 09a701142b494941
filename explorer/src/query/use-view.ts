/** React state of the view in the address bar, with back and forward navigation. */

import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Role } from '../../../src/contract/record/records.ts';
import {
  ignoredPartsOf,
  locationSearchOf,
  readView,
  type UrlParameter,
  type View,
} from './view.ts';

const CHANGED = 'viewchange';

function subscribe(listener: () => void): () => void {
  const controller = new AbortController();
  addEventListener('popstate', listener, { signal: controller.signal });
  addEventListener(CHANGED, listener, { signal: controller.signal });
  return () => controller.abort();
}

/** Returns false if the browser refuses to change the address. */
export type ChangeView = (change: Partial<View>) => boolean;

/** Display options: a change of them adds no entry to the history. */
const DISPLAY_OPTIONS: readonly string[] = [
  'measure',
  'granularity',
  'order',
  'listSort',
  'table',
  'sort',
] satisfies readonly (keyof View)[];

const isNewQuery = (parts: Partial<View>): boolean =>
  Object.keys(parts).some((name) => !DISPLAY_OPTIONS.includes(name));

/** Whether a change only goes from one opened transaction to another. */
const isStep = (before: View, parts: Partial<View>): boolean =>
  Object.keys(parts).every((name) => name === 'row') &&
  before.row !== undefined &&
  parts.row !== undefined;

function writeAddress(search: string, isNewEntry: boolean): boolean {
  try {
    if (isNewEntry) history.pushState(null, '', search);
    else history.replaceState(null, '', search);
    // Browsers refuse many changes in a short time, such as by a held key: Chromium ignores them, others throw. The
    // view then stays as it is.
    return location.search === search;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

const useSearch = (): string => useSyncExternalStore(subscribe, () => location.search);

/** The parts of the address that were ignored. Any change of the view removes them. */
export function useIgnoredParts(role: Role): readonly UrlParameter[] {
  const search = useSearch();
  return useMemo(() => ignoredPartsOf(search, [role]), [search, role]);
}

export function useView(role: Role): readonly [View, ChangeView] {
  const search = useSearch();
  const view = useMemo(() => readView(search, [role]), [search, role]);
  const change = useCallback<ChangeView>(
    (parts) => {
      const before = readView(location.search, [role]);
      // A new query closes the opened transaction, which may be missing from the new list.
      const closed = isNewQuery(parts) ? { row: undefined } : {};
      const next = locationSearchOf({ ...before, ...closed, ...parts });
      if (next === location.search) return true;
      const isWritten = writeAddress(next, isNewQuery(parts) && !isStep(before, parts));
      dispatchEvent(new Event(CHANGED));
      return isWritten;
    },
    [role],
  );
  return [view, change];
}

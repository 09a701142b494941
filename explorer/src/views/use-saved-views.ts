/** React state of the saved views, shared by the tabs of the browser. */

import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Me } from '../../../client/src/index.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import { storedToken } from '../access/token-storage.ts';
import { locationSearchOf, readView } from '../query/view.ts';
import { defaultView, type SavedViews } from './saved-views.ts';
import { clearTemporaryViews, readStoredViews, storeViews, viewsKey } from './view-storage.ts';

const CHANGED = 'savedviewschange';

/** The path of the page, without the file name. */
const path = (): string => new URL('.', location.href).pathname;

function subscribe(listener: () => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  addEventListener('storage', listener, { signal });
  addEventListener(CHANGED, listener, { signal });
  return () => controller.abort();
}

/** Null if storage is disabled: then views cannot be saved. */
function storedText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function useSavedViews(): readonly [SavedViews, (views: SavedViews) => void] {
  const { service } = useExplorer();
  const key = viewsKey(path(), service.me);
  const text = useSyncExternalStore(subscribe, () => storedText(key));
  const views = useMemo(() => readStoredViews(text).views, [text]);
  const save = useCallback(
    (next: SavedViews) => {
      try {
        storeViews(localStorage, key, { isKept: storedToken()?.isKept ?? false, views: next });
      } catch {
        // Storage is disabled or full: the views stay as they were.
      }
      dispatchEvent(new Event(CHANGED));
    },
    [key],
  );
  // Saves the views again with `isKept` of this sign-in, which may differ from that of the last one.
  useEffect(() => {
    if (views.length > 0) save(views);
  }, [views, save]);
  return [views, save];
}

/** Opens the default view of a principal if the address has no query. */
export function openDefaultView(me: Me): void {
  const standard = defaultView(readStoredViews(storedText(viewsKey(path(), me))).views);
  if (standard === undefined || location.search !== '') return;
  history.replaceState(null, '', locationSearchOf(readView(standard.search)));
}

/** Forgets the views of sign-ins that are not kept. Call it when a sign-in ends. */
export function forgetTemporaryViews(): void {
  try {
    clearTemporaryViews(localStorage, path());
  } catch {
    // Storage is disabled, so no views are stored.
  }
}

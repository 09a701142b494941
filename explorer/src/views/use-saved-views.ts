/** React state of the saved views, shared by the tabs of the browser. */

import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Me } from '../../../client/src/index.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import { storedToken } from '../access/token-storage.ts';
import { locationSearchOf, readView } from '../query/view.ts';
import { defaultView, type SavedViews } from './saved-views.ts';
import {
  clearTemporaryViews,
  keepViews,
  readStoredViews,
  storeViews,
  viewsKey,
} from './view-storage.ts';

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

/** Returns whether the change was stored. If storage is disabled or full, the views stay as they were. */
function changeStorage(change: () => void): boolean {
  try {
    change();
  } catch {
    return false;
  }
  dispatchEvent(new Event(CHANGED));
  return true;
}

const isKept = (): boolean => storedToken()?.isKept ?? false;

/** Keeps the views of a principal on the device as long as the token. Call it when the token is kept or no longer. */
export function keepViewsWithToken(me: Me): void {
  changeStorage(() => keepViews(localStorage, viewsKey(path(), me), isKept()));
}

/** The views, and a function that saves others in their place. It returns false if they cannot be stored. */
export function useSavedViews(): readonly [SavedViews, (views: SavedViews) => boolean] {
  const { me } = useExplorer().service;
  const key = viewsKey(path(), me);
  const text = useSyncExternalStore(subscribe, () => storedText(key));
  const views = useMemo(() => readStoredViews(text).views, [text]);
  const save = useCallback(
    (next: SavedViews) =>
      changeStorage(() => storeViews(localStorage, key, { isKept: isKept(), views: next })),
    [key],
  );
  // The last sign-in may have been kept or not. Not after each change: tabs could overwrite each other forever.
  useEffect(() => keepViewsWithToken(me), [me]);
  return [views, save];
}

/** Opens the default view of a principal if the address has no query. */
export function openDefaultView(me: Me): void {
  const standard = defaultView(readStoredViews(storedText(viewsKey(path(), me))).views);
  if (standard === undefined || location.search !== '') return;
  history.replaceState(null, '', locationSearchOf(readView(standard.search)));
}

/** Forgets the views of sign-ins that are not kept. Call it when the user signs out or signs in again. */
export function forgetTemporaryViews(): void {
  try {
    clearTemporaryViews(localStorage, path());
  } catch {
    // Storage is disabled, so no views are stored.
  }
}

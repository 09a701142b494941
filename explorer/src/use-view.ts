/** The view in the address bar: going back and forward changes it, and changing it can be gone back on. */

import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { readView, searchOf, type View } from './view.ts';

const CHANGED = 'viewchange';

function subscribe(listener: () => void): () => void {
  const leaving = new AbortController();
  addEventListener('popstate', listener, { signal: leaving.signal });
  addEventListener(CHANGED, listener, { signal: leaving.signal });
  return () => leaving.abort();
}

export type ChangeView = (change: Partial<View>) => void;

export function useView(): readonly [View, ChangeView] {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const view = useMemo(() => readView(search), [search]);
  const change = useCallback<ChangeView>((parts) => {
    const next = searchOf({ ...readView(location.search), ...parts });
    if (next === location.search) return;
    history.pushState(null, '', next);
    dispatchEvent(new Event(CHANGED));
  }, []);
  return [view, change];
}

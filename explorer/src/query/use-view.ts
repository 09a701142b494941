/** The view in the address bar: going back and forward changes it, and another question can be gone back on. */

import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { type AddressPart, readView, searchOf, unknownPartsOf, type View } from './view.ts';

const CHANGED = 'viewchange';

function subscribe(listener: () => void): () => void {
  const leaving = new AbortController();
  addEventListener('popstate', listener, { signal: leaving.signal });
  addEventListener(CHANGED, listener, { signal: leaving.signal });
  return () => leaving.abort();
}

export type ChangeView = (change: Partial<View>) => void;

/** How the same question is looked at: nobody wants to go back through that. */
const MANNERS: readonly string[] = ['measure', 'order'] satisfies readonly (keyof View)[];

const isNewQuestion = (parts: Partial<View>): boolean =>
  Object.keys(parts).some((name) => !MANNERS.includes(name));

const useSearch = (): string => useSyncExternalStore(subscribe, () => location.search);

/** What is asked for otherwise than the address says; any change of the view takes it out. */
export function useUnread(): readonly AddressPart[] {
  const search = useSearch();
  return useMemo(() => unknownPartsOf(search), [search]);
}

export function useView(): readonly [View, ChangeView] {
  const search = useSearch();
  const view = useMemo(() => readView(search), [search]);
  const change = useCallback<ChangeView>((parts) => {
    const next = searchOf({ ...readView(location.search), ...parts });
    if (next === location.search) return;
    if (isNewQuestion(parts)) history.pushState(null, '', next);
    else history.replaceState(null, '', next);
    dispatchEvent(new Event(CHANGED));
  }, []);
  return [view, change];
}

/** Keys that work anywhere on the page: `/` focuses the search box and `?` lists all keys. */

import { Suspense, useEffect, useState } from 'react';
import { lazySheet } from '../layout/lazy-sheet.ts';
import { focusSearch } from '../search/search-box.tsx';
import { actionOf } from './keys.ts';

/** Loaded when it is opened. */
const KeysSheet = lazySheet(async () => (await import('./keys-sheet.tsx')).KeysSheet);

const SHOW = 'showkeys';

/** Opens the sheet that lists all keys. */
export const showShortcuts = (): void => void dispatchEvent(new Event(SHOW));

export function PageKeys() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // In the capture phase, because sheets stop the propagation of their key events.
    addEventListener('keydown', onPageKey, { signal, capture: true });
    addEventListener(SHOW, () => setOpen(true), { signal });
    return () => controller.abort();
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <KeysSheet close={() => setOpen(false)} />
    </Suspense>
  );
}

function onPageKey(event: KeyboardEvent): void {
  const action = isTyping(event.target) ? undefined : actionOf('page', event);
  if (action === undefined) return;
  if (action === 'keys') showShortcuts();
  // A modal sheet covers the search box.
  else if (document.querySelector('dialog[open]') !== null) return;
  else focusSearch();
  event.preventDefault();
}

/** Whether a key press writes into its target. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type="radio"], [type="checkbox"])'));

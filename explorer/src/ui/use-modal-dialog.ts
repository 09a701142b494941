/** React hook that shows a dialog element as a modal one for as long as it is mounted. */

import { type SyntheticEvent, useLayoutEffect, useRef } from 'react';
import { useBackdropPress } from './use-backdrop-press.ts';

/**
 * The owner of the dialog decides whether it is mounted. The browser traps the focus, reports Escape and
 * restores the focus. Escape discards what was typed and not applied yet.
 */
export function useModalDialog(close: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the passive effects of the content: only an open dialog can have the focus.
  useLayoutEffect(() => {
    const { current } = ref;
    current?.showModal();
    // A dialog is closed before it is removed, because only then the browser restores the focus.
    return () => current?.close();
  }, []);
  return {
    ref,
    // The event `close` comes later. Until then the owner believes that the dialog is open, and a click on its
    // button does nothing.
    onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      close();
    },
    // Browsers close a dialog without `cancel` at the second Escape. It can be removed by then.
    onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      if (currentTarget.isConnected && !currentTarget.open) close();
    },
    ...useBackdropPress(ref, close),
  };
}

/** React hook that shows a dialog element as a modal one for as long as it is mounted. */

import { type SyntheticEvent, useLayoutEffect, useRef } from 'react';
import { useBackdropPress } from './use-backdrop-press.ts';

/**
 * The owner of the dialog unmounts it in `close`. Without `close`, the dialog stays open. Escape discards what
 * was typed and not applied yet. `beforeShow` may position the dialog. Later is too late, because showing the
 * dialog scrolls to the focused control.
 */
export function useModalDialog(
  close: (() => void) | undefined,
  beforeShow?: (dialog: HTMLDialogElement) => void,
) {
  const ref = useRef<HTMLDialogElement>(null);
  const show = useRef(beforeShow);
  // A layout effect, because it opens the dialog before the effects of its content set the focus. Only an open dialog
  // can have the focus.
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    show.current?.(current);
    current.showModal();
    // Closes the dialog before it is removed. Otherwise the browser would not restore the focus.
    return () => current.close();
  }, []);
  return {
    ref,
    // Does not wait for the event `close`, which is fired in a later task. Until then the owner would believe
    // that the dialog is open, and a click on its button would do nothing.
    onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      close?.();
    },
    // At the second Escape, browsers close a dialog without `cancel`. It may be unmounted before this event arrives.
    onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      if (!currentTarget.isConnected || currentTarget.open) return;
      if (close === undefined) currentTarget.showModal();
      else close();
    },
    ...useBackdropPress(ref, () => close?.()),
  };
}

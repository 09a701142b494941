/** React hook that shows a dialog element as a modal one for as long as it is mounted. */

import { type SyntheticEvent, useLayoutEffect, useRef } from 'react';
import { useBackdropPress } from './use-backdrop-press.ts';

/**
 * The owner of the dialog decides whether it is mounted. The browser traps the focus, reports Escape and
 * restores the focus. Escape discards what was typed and not applied yet. `beforeShow` may position the dialog, because
 * showing it makes the browser scroll to the control that gets the focus.
 */
export function useModalDialog(
  close: () => void,
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
    // A dialog is closed before it is removed, because only then does the browser restore the focus.
    return () => current.close();
  }, []);
  return {
    ref,
    // Does not wait for the event `close`, which is fired in a later task. Until then the owner would believe
    // that the dialog is open, and a click on its button would do nothing.
    onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      close();
    },
    // Browsers close a dialog without `cancel` at the second Escape. The dialog may be unmounted by then.
    onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      if (currentTarget.isConnected && !currentTarget.open) close();
    },
    ...useBackdropPress(ref, close),
  };
}

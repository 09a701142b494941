/** React hook that closes a modal dialog when its backdrop is pressed. */

import { type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { closeAfterPress } from './close-after-press.ts';

/** A selection of text that begins inside and ends outside must not close the dialog. */
export function useBackdropPress(dialog: RefObject<HTMLDialogElement | null>, close: () => void) {
  const isPressedOutside = useRef(false);
  return {
    onPointerDown: ({ target }: PointerEvent) => {
      isPressedOutside.current = target === dialog.current;
    },
    onClick: ({ target }: MouseEvent) => {
      if (isPressedOutside.current && target === dialog.current) closeAfterPress(close);
    },
  };
}

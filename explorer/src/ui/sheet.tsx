/** A part of the page that opens above the rest, until it is closed. */

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useReader } from '../layout/reader-context.tsx';

interface SheetProps {
  readonly title: string;
  readonly children: ReactNode;
  close(): void;
}

/** The browser keeps the focus within it, closes it with Escape and gives the focus back. */
export function Sheet({ title, children, close }: SheetProps) {
  const { texts } = useReader();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedBeside = useRef(false);
  useEffect(() => {
    const { current } = dialog;
    if (current?.open === false) current.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={id}
      onClose={close}
      // Whoever selects a text may let go of it beside the sheet.
      onPointerDown={({ target }) => {
        isPressedBeside.current = target === dialog.current;
      }}
      onClick={({ target }) => {
        if (isPressedBeside.current && target === dialog.current) dialog.current?.close();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="sheet-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className="quiet icon"
          aria-label={texts.close}
          onClick={() => dialog.current?.close()}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" />
          </svg>
        </button>
      </div>
      <div className="sheet-body">{children}</div>
    </dialog>
  );
}

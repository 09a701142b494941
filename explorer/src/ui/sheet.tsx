/** Modal side sheet, a native dialog element. */

import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { CrossIcon } from './cross-icon.tsx';
import { useBackdropPress } from './use-backdrop-press.ts';

interface SheetProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Covers most of the screen. */
  readonly isWide?: boolean;
  /** The body has no controls, so it takes the focus itself, and keys scroll it. */
  readonly isText?: boolean;
  /** Keys of the sheet, besides Escape. */
  onKey?(event: KeyboardEvent): void;
  close(): void;
}

/** The browser traps the focus, closes the dialog with Escape and restores the focus. */
export function Sheet({
  title,
  children,
  isWide = false,
  isText = false,
  onKey,
  close,
}: SheetProps) {
  const { texts } = useLocalization();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    // A sheet that its owner removes is closed first, because only then the browser restores the focus.
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'sheet sheet-wide' : 'sheet'}
      aria-labelledby={id}
      // The event comes later: the sheet can be removed by then.
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected && !currentTarget.open) close();
      }}
      {...useBackdropPress(dialog)}
      onKeyDown={(event) => {
        event.stopPropagation();
        onKey?.(event);
      }}
    >
      <div className="sheet-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className="quiet icon"
          aria-label={texts.close}
          onClick={() => dialog.current?.close()}
        >
          <CrossIcon />
        </button>
      </div>
      <div
        className="sheet-body"
        {...(isText ? { tabIndex: 0, role: 'region', 'aria-labelledby': id } : {})}
      >
        {children}
      </div>
    </dialog>
  );
}

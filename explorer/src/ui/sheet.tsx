/** Modal side sheet, a native dialog element. */

import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { closeAfterPress } from './close-after-press.ts';
import { CrossIcon } from './cross-icon.tsx';
import { useModalDialog } from './use-modal-dialog.ts';

interface SheetProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Covers most of the screen. */
  readonly isWide?: boolean;
  /** Whether the body has no controls. It then takes the focus itself, so that keys scroll it. */
  readonly isText?: boolean;
  /** Whether the sheet cannot be closed at the moment. */
  readonly isBusy?: boolean;
  /** Keys of the sheet, besides Escape. */
  onKey?(event: KeyboardEvent): void;
  close(): void;
}

export function Sheet({
  title,
  children,
  isWide = false,
  isText = false,
  isBusy = false,
  onKey,
  close,
}: SheetProps) {
  const { texts } = useLocalization();
  const id = useId();
  return (
    <dialog
      {...useModalDialog(isBusy ? undefined : close)}
      className={isWide ? 'sheet sheet-wide' : 'sheet'}
      aria-labelledby={id}
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
          disabled={isBusy}
          onClick={() => closeAfterPress(close)}
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

/** The dialog of the date picker: below its button, and a sheet at the bottom of phones. */

import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useBackdropPress } from '../../ui/use-backdrop-press.ts';
import type { usePeriodPanel } from './use-period-panel.ts';

interface PeriodDialogProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly panel: ReturnType<typeof usePeriodPanel>;
  close(): void;
}

/** The browser traps the focus, closes the dialog with Escape and restores the focus. */
export function PeriodDialog({ button, panel, close }: PeriodDialogProps) {
  const { texts } = useLocalization();
  const dialog = useRef<HTMLDialogElement>(null);
  const { Panel, hasFailed } = panel;
  // Before the passive effect of the calendar, which focuses a day: only an open dialog can have the focus.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (current === null || current.open) return;
    const place = button.current?.getBoundingClientRect();
    current.style.setProperty('--top', `${(place?.bottom ?? 0) + scrollY}px`);
    current.style.setProperty('--left', `${(place?.left ?? 0) + scrollX}px`);
    current.showModal();
  }, [button]);
  return (
    <dialog
      ref={dialog}
      className="period-dialog"
      aria-label={texts.ask.period}
      aria-busy={Panel === undefined && !hasFailed}
      onClose={close}
      {...useBackdropPress(dialog)}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {Panel && <Panel close={() => dialog.current?.close()} />}
      {Panel === undefined && !hasFailed && <div className="period-panel" />}
      {hasFailed && (
        <Notice
          message={{ ...texts.refusals.noAnswer, isTemporary: true }}
          // Browsers keep a failed import until the page is loaded again. The address has the query.
          retry={() => location.reload()}
        />
      )}
    </dialog>
  );
}

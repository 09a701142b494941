/** The dialog of the date picker: below its button, or on phones at the bottom of the screen. */

import type { RefObject } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useModalDialog } from '../../ui/use-modal-dialog.ts';
import type { usePeriodPanel } from './use-period-panel.ts';

interface PeriodDialogProps {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly panel: ReturnType<typeof usePeriodPanel>;
  close(): void;
}

export function PeriodDialog({ button, panel, close }: PeriodDialogProps) {
  const { texts } = useLocalization();
  const modal = useModalDialog(close, (dialog) => {
    const place = button.current?.getBoundingClientRect();
    dialog.style.setProperty('--top', `${(place?.bottom ?? 0) + scrollY}px`);
    dialog.style.setProperty('--left', `${(place?.left ?? 0) + scrollX}px`);
  });
  const { Panel, hasFailed } = panel;
  return (
    <dialog
      {...modal}
      className="period-dialog"
      aria-label={texts.ask.period}
      aria-busy={Panel === undefined && !hasFailed}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {Panel && <Panel close={close} />}
      {Panel === undefined && !hasFailed && <div className="period-panel" />}
      {hasFailed && (
        <Notice
          message={{ ...texts.errors.noAnswer, isTemporary: true }}
          // Browsers cache a failed `import()` until a reload. A reload keeps the query, which is in the address.
          retry={() => location.reload()}
        />
      )}
    </dialog>
  );
}

/** Date picker: a button with the period, and a dialog in which it is chosen. */

import { useRef, useState } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { PeriodDialog } from './period-dialog.tsx';
import { usePeriodPanel } from './use-period-panel.ts';

export function PeriodPicker() {
  const { texts, formats } = useLocalization();
  const { view, days } = useExplorer();
  const [isOpen, setOpen] = useState(false);
  const [isNear, setNear] = useState(false);
  const panel = usePeriodPanel(isOpen || isNear);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="period-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => setNear(true)}
        onFocus={() => setNear(true)}
        onClick={() => setOpen(true)}
      >
        <span className="label">{texts.ask.period}</span>{' '}
        {typeof view.period === 'string' && <b>{texts.periods[view.period]}</b>}{' '}
        <span className="period-days">{formats.period(days.start, days.end)}</span>
      </button>
      {isOpen && <PeriodDialog button={button} panel={panel} close={() => setOpen(false)} />}
    </>
  );
}

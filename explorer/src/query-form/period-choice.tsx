/** The period, the time zone of its days, and, except on phones, the date field that it applies to. */

import { useExplorer } from '../access/explorer-context.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { DateFieldChoice } from './date-field-choice.tsx';
import { PeriodPicker } from './period/period-picker.tsx';

export function PeriodChoice() {
  const { service } = useExplorer();
  return (
    <div className="period">
      <PeriodPicker />
      {!useNarrow() && <DateFieldChoice />}
      <span className="soft small">{service.me.time_zone}</span>
    </div>
  );
}

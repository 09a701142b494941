/** The period, the date field that it applies to, and the time zone of its days. */

import { useAccess } from '../access/access-context.tsx';
import { DateFieldChoice } from './date-field-choice.tsx';
import { PeriodPicker } from './period/period-picker.tsx';

export function PeriodChoice() {
  const { service } = useAccess();
  return (
    <div className="period">
      <PeriodPicker />
      <DateFieldChoice />
      <span className="soft small">{service.me.time_zone}</span>
    </div>
  );
}

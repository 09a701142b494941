/** The period that all totals are compared with, in words. */

import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { type Period, periodOf } from '../query/periods.ts';

interface ComparisonProps {
  readonly id: string;
  readonly earlier: Period;
  /** Whether that period has no transactions; undefined until that is known. */
  readonly isEmpty: boolean | undefined;
}

export function Comparison({ id, earlier, isEmpty }: ComparisonProps) {
  const { texts, formats } = useLocalization();
  const { days, service } = useAccess();
  const today = periodOf('today', service.me.time_zone).start;
  const isOpen = days.start <= today && today <= days.end;
  const { start, end } = earlier;
  const isWithinYear = start !== end && start.slice(0, 4) === end.slice(0, 4);
  const first = isWithinYear ? formats.shortDay(start) : formats.day(start);
  const { against, nothingBefore } = texts.glance;
  const words = isEmpty === true ? nothingBefore : against;
  return (
    <p id={id} className="comparison soft small">
      {isEmpty !== undefined && words(first, formats.day(end))}
      {isEmpty !== undefined && isOpen && ` · ${texts.glance.todayIsOpen}`}
    </p>
  );
}

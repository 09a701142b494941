/** With which days all totals are compared, said once for them. */

import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { type Period, periodOf } from '../query/periods.ts';

interface ComparisonProps {
  readonly id: string;
  readonly earlier: Period;
  /** Whether nothing happened on those days; undefined as long as that is not known. */
  readonly isEmpty: boolean | undefined;
}

export function Comparison({ id, earlier, isEmpty }: ComparisonProps) {
  const { texts, formats } = useReader();
  const { days, service } = useAccess();
  const today = periodOf('today', service.me.time_zone).start;
  const isOpen = days.start <= today && today <= days.end;
  const { start, end } = earlier;
  const isOfOneYear = start !== end && start.slice(0, 4) === end.slice(0, 4);
  const first = isOfOneYear ? formats.shortDay(start) : formats.day(start);
  const { against, nothingBefore } = texts.glance;
  const words = isEmpty === true ? nothingBefore : against;
  return (
    <p id={id} className="comparison soft small">
      {isEmpty !== undefined && words(first, formats.day(end))}
      {isEmpty !== undefined && isOpen && ` · ${texts.glance.todayIsOpen}`}
    </p>
  );
}

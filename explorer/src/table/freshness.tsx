/** When the list was read, on which clock, and a way to read it anew. */

import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { useToday } from '../query/today.ts';
import { useRetryRequests } from '../service/retry-requests.ts';

interface FreshnessProps {
  /** In milliseconds; undefined as long as it is being read. */
  readonly readAt: number | undefined;
  readonly isReading: boolean;
}

export function Freshness({ readAt, isReading }: FreshnessProps) {
  const { texts, formats } = useReader();
  const { service } = useAccess();
  const again = useRetryRequests();
  const timeZone = service.me.time_zone;
  const today = useToday(timeZone);
  const asOf = (instant: number): string => {
    const [day, time] = formats.clock(instant, timeZone);
    return day === formats.day(today) ? texts.list.asOf(time) : texts.list.asOfDay(day, time);
  };
  return (
    <p className="soft small freshness" aria-busy={isReading}>
      <span>
        {texts.list.clock(timeZone)}
        {readAt !== undefined && `, ${asOf(readAt)}`}
      </span>
      <button type="button" className="quiet small" onClick={again}>
        {texts.list.refresh}
      </button>
    </p>
  );
}

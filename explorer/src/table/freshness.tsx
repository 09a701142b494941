/** Time of the last load, the time zone, and a refresh button. */

import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { useToday } from '../query/today.ts';
import { useRefetchAll } from '../service/retry-requests.ts';

interface FreshnessProps {
  /** Milliseconds since 1970; undefined while the list is loading. */
  readonly loadedAt: number | undefined;
  readonly isLoading: boolean;
}

export function Freshness({ loadedAt, isLoading }: FreshnessProps) {
  const { texts, formats } = useLocalization();
  const { service } = useExplorer();
  const refetch = useRefetchAll();
  const timeZone = service.me.time_zone;
  const today = useToday(timeZone);
  const asOf = (instant: number): string => {
    const [day, time] = formats.clock(instant, timeZone);
    return day === formats.day(today) ? texts.list.asOf(time) : texts.list.asOfDay(day, time);
  };
  return (
    <p className="soft small freshness" aria-busy={isLoading}>
      <span>
        {texts.list.clock(timeZone)}
        {loadedAt !== undefined && `, ${asOf(loadedAt)}`}
      </span>
      <button type="button" className="quiet small" onClick={refetch}>
        {texts.list.refresh}
      </button>
    </p>
  );
}

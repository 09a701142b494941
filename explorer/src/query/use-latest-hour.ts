/** React hook for the latest hour that has transactions. */

import { useQuery } from '@tanstack/react-query';
import { Temporal } from 'temporal-polyfill';
import { TIME_UNITS } from '../../../src/contract/query/groupings.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import { type LatestHour, latestHourIn } from './latest-hour.ts';

/** Asks for all kinds together, without filters. Undefined until the response arrives. */
export function useLatestHour(today: string, isEnabled: boolean): LatestHour | undefined {
  const { service } = useExplorer();
  const days = TIME_UNITS.hour.maxDays;
  const since = String(Temporal.PlainDate.from(today).subtract({ days: days - 1 }));
  const query = { type: KINDS.join(','), start_date: since, end_date: today, group_by: 'hour' };
  const { data } = useQuery({
    queryKey: ['latest hour', query] as const,
    queryFn: async ({ signal }) =>
      latestHourIn(await service.transactions.summary(query, { signal }), since),
    enabled: isEnabled,
  });
  return data;
}

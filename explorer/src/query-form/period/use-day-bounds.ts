/** React hook for the first and the last day that have transactions. */

import { useQuery } from '@tanstack/react-query';
import { FIRST_DAY } from '../../../../src/contract/query/calendar.ts';
import { KINDS } from '../../../../src/contract/record/kinds.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { dayOf } from '../../query/periods.ts';
import { useLatestHour } from '../../query/use-latest-hour.ts';

export interface DayBounds {
  /** Undefined until it is known, and without transactions. */
  readonly first: string | undefined;
  /** Undefined until it is known, and if the latest days have no transactions. */
  readonly last: string | undefined;
}

/** Covers all kinds, without filters. Reads the oldest row of each kind, because counting days would cost more. */
export function useDayBounds(today: string): DayBounds {
  const { service } = useExplorer();
  const latest = useLatestHour(today, true);
  const oldest = { start_date: FIRST_DAY, end_date: today, order: 'asc', limit: '1' };
  const { data } = useQuery({
    queryKey: ['first day', today] as const,
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        KINDS.map(async (type) => {
          const query = { ...oldest, type, fields: 'created_at' };
          return await service.transactions.page(query, { signal });
        }),
      );
      const days = pages.flatMap(({ rows }) =>
        rows.map(({ created_at: time }) => dayOf(String(time))),
      );
      return days.sort().at(0) ?? null;
    },
  });
  return { first: data ?? undefined, last: latest?.hour && dayOf(latest.hour) };
}

/** Cards of the programs that changed most, of what is pending, and of the last payments. */

import { useExplorer } from '../../access/explorer-context.tsx';
import { useToday } from '../../query/today.ts';
import { performanceQueryOf } from '../performance-query.ts';
import { usePerformance } from '../use-performance.ts';
import { FirstSteps } from './first-steps.tsx';
import { recentMonths } from './money-periods.ts';
import { PaymentsCard } from './payments-card.tsx';
import { PendingCard } from './pending-card.tsx';
import { ProgramsCard } from './programs-card.tsx';

/** Administrators would see thousands of payments, so only affiliates see payments. */
const GROUPINGS = { affiliate: 'age,month,payment_id', admin: 'age,month' } as const;

/** `isEnabled` is false until the totals have arrived, so that other requests do not delay them. */
export function MoneyCards({ isEnabled }: { readonly isEnabled: boolean }) {
  const { service, view } = useExplorer();
  const today = useToday(service.me.time_zone);
  const query = {
    ...performanceQueryOf(view, recentMonths(today)),
    group_by: GROUPINGS[service.role],
  };
  const { data, error, isPlaceholderData } = usePerformance(query, isEnabled);
  const state = { rows: data, isStale: isPlaceholderData };
  // Without numbers, cards would claim that nothing is pending. The notice above shows the error.
  const hasNumbers = data !== undefined || error === null;
  const isNew = service.role === 'affiliate' && Object.keys(view.filters).length === 0;
  if (isNew && data?.length === 0 && !isPlaceholderData) return <FirstSteps />;
  return (
    <div className="performance-more">
      <ProgramsCard isEnabled={isEnabled} />
      {hasNumbers && <PendingCard {...state} />}
      {hasNumbers && service.role === 'affiliate' && <PaymentsCard {...state} />}
    </div>
  );
}

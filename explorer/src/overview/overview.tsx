/** The question at a glance: what it adds up to, over time, and where it comes from. */

import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { periodBefore, stretchOf } from '../query/periods.ts';
import { Chart } from './chart/chart.tsx';
import { measuresOf } from './measures.ts';
import { TopGroups } from './top-groups.tsx';
import { Totals } from './totals.tsx';
import { useGroups } from './use-groups.ts';
import { useLatestAnswer } from './use-latest-answer.ts';

/** What most transactions are told apart by, and clicks narrow down to. */
const TOPS = ['program_id', 'publisher_id', 'country', 'device_type'] as const;

export function Overview() {
  const { texts } = useReader();
  const { service, view, days, question } = useAccess();
  const measures = measuresOf(service.role, view.kind);
  const measure = measures.find(({ name }) => name === view.measure) ?? measures[0];
  const stretch = stretchOf(days);
  const now = useGroups(question, [stretch, 'status']);
  const shown = useLatestAnswer(now, days, stretch);
  const earlier = periodBefore(days, view.period);
  const before = useGroups({ ...question, start_date: earlier.start, end_date: earlier.end }, [
    'type',
  ]);
  // Why there is none is said above, once for all that is not there.
  if (measure === undefined || (now.error !== null && now.data === undefined)) return null;
  const isOld = now.isPlaceholderData;
  return (
    <section className="glance" aria-label={texts.glance.title}>
      <p className="hidden" role="status">
        {isOld || now.isPending ? texts.loading : ''}
      </p>
      <Totals
        measures={measures}
        chosen={measure}
        now={now.data}
        isOld={isOld}
        before={isOld || before.isPlaceholderData ? undefined : before.data}
        earlier={earlier}
      />
      <Chart measure={measure} shown={shown} isOld={isOld} />
      <div className="tops">
        {TOPS.map((grouping) => (
          <TopGroups
            key={grouping}
            grouping={grouping}
            measure={measure}
            isDue={now.data !== undefined}
          />
        ))}
      </div>
    </section>
  );
}

/** The question at a glance: what it adds up to, over time, and where it comes from. */

import { useAsker } from '../asker.tsx';
import { ErrorNotice } from '../notice.tsx';
import { periodBefore, stretchOf } from '../periods.ts';
import { useReader } from '../reader.tsx';
import { Chart } from './chart.tsx';
import { measuresOf } from './measures.ts';
import { Top } from './top.tsx';
import { Totals } from './totals.tsx';
import { useGroups } from './use-groups.ts';

/** What most transactions are told apart by, and clicks narrow down to. */
const TOPS = ['program_id', 'publisher_id', 'country', 'device_type'] as const;

export function Glance() {
  const { texts } = useReader();
  const { service, view, days, question } = useAsker();
  const measures = measuresOf(service.role, view.kind);
  const measure = measures.find(({ name }) => name === view.measure) ?? measures[0];
  const stretch = stretchOf(days);
  const now = useGroups(question, [stretch, 'status']);
  const earlier = periodBefore(days, view.period);
  const before = useGroups({ ...question, start_date: earlier.start, end_date: earlier.end }, [
    'type',
  ]);
  if (measure === undefined) return null;
  if (now.error !== null && now.data === undefined) {
    return <ErrorNotice error={now.error} again={() => void now.refetch()} />;
  }
  const isOld = now.isPlaceholderData || now.isPending;
  return (
    <section className="glance" aria-label={texts.glance.title} aria-busy={isOld}>
      {now.error !== null && <ErrorNotice error={now.error} again={() => void now.refetch()} />}
      <Totals
        measures={measures}
        chosen={measure}
        now={now.data}
        before={before.isPlaceholderData ? undefined : before.data}
        earlier={earlier}
      />
      <Chart measure={measure} stretch={stretch} groups={now.data} />
      <div className="tops">
        {TOPS.map((grouping) => (
          <Top
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

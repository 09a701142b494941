/** Overview of the query: totals and chart over time. */

import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { partMisleadingComparison, resolveComparison } from '../query/comparisons.ts';
import { granularityOf } from '../query/granularity.ts';
import { useToday } from '../query/today.ts';
import { Chart } from './chart/chart.tsx';
import { formerGranularity } from './chart/former-values.ts';
import { measureOf, summaryMeasuresOf } from './measures.ts';
import { Totals } from './totals.tsx';
import { useGroups } from './use-groups.ts';
import { useLatestResponse } from './use-latest-response.ts';

interface OverviewProps {
  /** Puts the chart before the totals, so that phones show it on the first screen. */
  readonly isChartFirst?: boolean;
}

export function Overview({ isChartFirst = false }: OverviewProps) {
  const { texts } = useLocalization();
  const { service, view, days, query } = useExplorer();
  const measures = summaryMeasuresOf(service.role, view.kind);
  const measure = measureOf(measures, view.measure);
  const granularity = granularityOf(days, view.granularity);
  const now = useGroups(query, [granularity, 'status']);
  const answer = useLatestResponse(now, days, granularity);
  const today = useToday(service.me.time_zone);
  const misleading = partMisleadingComparison(view);
  const compared =
    misleading === undefined ? resolveComparison({ ...view, days, today }) : undefined;
  const before = useGroups(
    {
      ...query,
      start_date: compared?.former.start ?? '',
      end_date: compared?.former.end ?? '',
    },
    [compared === undefined ? 'type' : formerGranularity(granularity, compared.shift)],
    compared !== undefined,
  );
  // The notice above the overview shows the error.
  if (measure === undefined || (now.error !== null && now.data === undefined)) return null;
  const isStale = now.isPlaceholderData;
  const formerGroups = isStale || before.isPlaceholderData ? undefined : before.data;
  const chart = (
    <Chart
      measure={measure}
      answer={answer}
      isStale={isStale}
      former={compared && { compared, groups: formerGroups }}
    />
  );
  return (
    <section className="glance" aria-label={texts.glance.title}>
      <p className="hidden" role="status">
        {isStale || now.isPending ? texts.loading : ''}
      </p>
      {isChartFirst && chart}
      <Totals
        measures={measures}
        chosen={measure}
        now={now.data}
        isStale={isStale}
        before={compared?.isCutAtHour === false ? formerGroups : undefined}
        misleading={view.compare === 'none' ? undefined : misleading}
      />
      {!isChartFirst && chart}
    </section>
  );
}

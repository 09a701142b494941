/** Chart of a measure over time by status, with a table of its numbers. */

import { useId } from 'react';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { ResultRow } from '../../query/api-query.ts';
import type { ResolvedComparison } from '../../query/comparisons.ts';
import { granularitiesFor, granularityOf } from '../../query/granularity.ts';
import type { Clock } from '../../query/incompleteness.ts';
import { useClock } from '../../query/use-clock.ts';
import { type SummaryMeasure, sumOf } from '../measures.ts';
import type { LatestResponse } from '../use-latest-response.ts';
import { ChartControls } from './chart-controls.tsx';
import { ChartFooter } from './chart-footer.tsx';
import { ChartTable } from './chart-table.tsx';
import { formerValues } from './former-values.ts';
import { Legend } from './legend.tsx';
import { Bars } from './plot/bars.tsx';
import { pointsOf, type Series } from './points.ts';

/** The former period, and its groups as soon as they are known. */
export interface FormerGroups {
  readonly compared: ResolvedComparison;
  readonly groups: readonly ResultRow[] | undefined;
}

interface ChartProps {
  readonly measure: SummaryMeasure;
  readonly answer: LatestResponse | undefined;
  /** Whether the answer belongs to the previous query. */
  readonly isStale: boolean;
  /** Undefined without a comparison. */
  readonly former: FormerGroups | undefined;
}

export function Chart({ measure, answer, isStale, former }: ChartProps) {
  const { texts } = useLocalization();
  const { days } = useExplorer();
  const id = useId();
  const clock = useClock(answer?.loadedAt);
  const series = useSeries({ measure, answer, former, clock });
  const granularity = answer?.granularity ?? granularityOf(days);
  // A refund can make the total zero.
  const hasNumbers = series?.points.some(
    ({ parts, former: before }) => before || parts.some(({ value }) => value !== 0),
  );
  return (
    <figure
      className={isStale ? 'chart card old' : 'chart card'}
      aria-busy={isStale || answer === undefined}
    >
      <figcaption>
        <h2 id={id}>
          {texts.glance.over(measure.title(texts))}{' '}
          <span className={granularitiesFor(days).length > 1 ? 'hidden' : 'soft'}>
            {texts.glance.by[granularity]}
          </span>
        </h2>
        <ChartControls />
        <Legend
          points={series?.points}
          measure={measure}
          former={
            former && {
              sum: former.groups && sumOf(former.groups, measure),
              isLonger: former.compared.isCutAtHour,
            }
          }
        />
      </figcaption>
      {series === undefined && <div className="plot-shade" />}
      {hasNumbers === false && <p className="plot-shade empty">{texts.glance.empty}</p>}
      {series !== undefined && hasNumbers === true && <Bars title={id} series={series} />}
      <ChartFooter points={series?.points ?? []} latest={clock.latest} />
      <details>
        <summary>{texts.glance.asTable}</summary>
        {series && <ChartTable title={id} series={series} />}
      </details>
    </figure>
  );
}

interface SeriesOptions extends Omit<ChartProps, 'isStale'> {
  readonly clock: Clock;
}

function useSeries({ measure, answer, former, clock }: SeriesOptions): Series | undefined {
  const { texts } = useLocalization();
  const { view } = useExplorer();
  if (answer === undefined) return undefined;
  const { granularity } = answer;
  const values =
    former?.groups &&
    formerValues(former.groups, { ...former, granularity, measure, timeZone: clock.timeZone });
  return {
    points: pointsOf(answer, { measure, former: values, clock }),
    granularity,
    measure,
    formerLabel: values && texts.chart.former[view.compare],
  };
}

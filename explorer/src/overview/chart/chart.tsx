/** Chart of a measure over time by status, with a table of its numbers. */

import { useId } from 'react';
import { useAccess } from '../../access/access-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { granularityOf } from '../../query/periods.ts';
import type { Measure } from '../measures.ts';
import type { LatestResponse } from '../use-latest-response.ts';
import { Bars } from './bars.tsx';
import { ChartTable } from './chart-table.tsx';
import { Legend } from './legend.tsx';
import { pointsOf } from './points.ts';

interface ChartProps {
  readonly measure: Measure;
  readonly answer: LatestResponse | undefined;
  /** Whether the answer belongs to the previous query. */
  readonly isStale: boolean;
}

export function Chart({ measure, answer, isStale }: ChartProps) {
  const { texts } = useLocalization();
  const { days } = useAccess();
  const id = useId();
  const granularity = answer?.granularity ?? granularityOf(days);
  const points = answer && pointsOf(answer, measure);
  return (
    <figure
      className={isStale ? 'chart card old' : 'chart card'}
      aria-busy={isStale || answer === undefined}
    >
      <figcaption>
        <h2 id={id}>
          {texts.glance.over(measure.title(texts))}{' '}
          <span className="soft">{texts.glance.by[granularity]}</span>
        </h2>
        <Legend points={points} measure={measure} />
      </figcaption>
      {points === undefined && <div className="plot-shade" />}
      {points?.every(({ total }) => total === 0) === true && (
        <p className="plot-shade empty">{texts.glance.empty}</p>
      )}
      {points?.some(({ total }) => total !== 0) === true && (
        <Bars title={id} points={points} granularity={granularity} measure={measure} />
      )}
      <details>
        <summary>{texts.glance.asTable}</summary>
        <ChartTable title={id} points={points ?? []} granularity={granularity} measure={measure} />
      </details>
    </figure>
  );
}

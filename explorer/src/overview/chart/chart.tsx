/** A measure over time by status, as bars to click on and as a table. */

import { useId } from 'react';
import { useAccess } from '../../access/access-context.tsx';
import { useReader } from '../../layout/reader-context.tsx';
import { stretchOf } from '../../query/periods.ts';
import type { Measure } from '../measures.ts';
import type { Shown } from '../use-latest-answer.ts';
import { Bars } from './bars.tsx';
import { ChartTable } from './chart-table.tsx';
import { Legend } from './legend.tsx';
import { pointsOf } from './points.ts';

interface ChartProps {
  readonly measure: Measure;
  readonly shown: Shown | undefined;
  /** Whether that is of the question before. */
  readonly isOld: boolean;
}

export function Chart({ measure, shown, isOld }: ChartProps) {
  const { texts } = useReader();
  const { days } = useAccess();
  const id = useId();
  const stretch = shown?.stretch ?? stretchOf(days);
  const points = shown && pointsOf(shown, measure);
  return (
    <figure
      className={isOld ? 'chart card old' : 'chart card'}
      aria-busy={isOld || shown === undefined}
    >
      <figcaption>
        <h2 id={id}>
          {texts.glance.over(measure.title(texts))}{' '}
          <span className="soft">{texts.glance.by[stretch]}</span>
        </h2>
        <Legend points={points} measure={measure} />
      </figcaption>
      {points === undefined && <div className="plot-shade" />}
      {points?.every(({ total }) => total === 0) === true && (
        <p className="plot-shade empty">{texts.glance.empty}</p>
      )}
      {points?.some(({ total }) => total !== 0) === true && (
        <Bars title={id} points={points} stretch={stretch} measure={measure} />
      )}
      <details>
        <summary>{texts.glance.asTable}</summary>
        <ChartTable title={id} points={points ?? []} stretch={stretch} measure={measure} />
      </details>
    </figure>
  );
}

/** A measure over time by status, as bars to click on and as a table. */

import { STATUS_LABELS } from '../../../src/contract/labels.ts';
import { STATUS_ORDER } from '../ask/status-filter.tsx';
import { useAsker } from '../asker.tsx';
import { nameOf } from '../filters.ts';
import type { Stretch } from '../periods.ts';
import type { Values } from '../question.ts';
import { useReader } from '../reader.tsx';
import { StatusSign } from '../status-sign.tsx';
import { labelsOf } from '../texts/texts.ts';
import { Bars } from './bars.tsx';
import { ChartTable } from './chart-table.tsx';
import { type Measure, written } from './measures.ts';
import { type Point, pointsOf } from './points.ts';

interface ChartProps {
  readonly measure: Measure;
  readonly stretch: Stretch;
  readonly groups: readonly Values[] | undefined;
}

export function Chart({ measure, stretch, groups }: ChartProps) {
  const { texts } = useReader();
  const { days } = useAsker();
  const points = pointsOf(groups ?? [], days, stretch, measure);
  const isEmpty = groups !== undefined && points.every(({ total }) => total === 0);
  return (
    <figure className="chart card">
      <figcaption>
        <h2>
          {texts.glance.over(nameOf(measure.name, texts))}{' '}
          <span className="soft">{texts.glance.by[stretch]}</span>
        </h2>
        <Legend points={points} measure={measure} />
      </figcaption>
      {isEmpty ? (
        <p className="empty">{texts.glance.empty}</p>
      ) : (
        <Bars points={points} stretch={stretch} measure={measure} />
      )}
      <details>
        <summary>{texts.glance.asTable}</summary>
        <ChartTable points={points} stretch={stretch} measure={measure} />
      </details>
    </figure>
  );
}

interface LegendProps {
  readonly points: readonly Point[];
  readonly measure: Measure;
}

function Legend({ points, measure }: LegendProps) {
  const { texts, formats } = useReader();
  const { view, change } = useAsker();
  const sumOf = (place: number) =>
    points.reduce((sum, { parts }) => sum + (parts[place]?.value ?? 0), 0);
  return (
    <ul className="legend" aria-label={texts.glance.statuses}>
      {STATUS_ORDER.map((status, place) => {
        const label = STATUS_LABELS[labelsOf(formats.tag)][status];
        return (
          <li key={status}>
            <button
              type="button"
              className="quiet"
              title={texts.glance.only(label)}
              onClick={() => change({ filters: { ...view.filters, status: String(status) } })}
            >
              <StatusSign status={status} />
              {label} <strong>{written(sumOf(place), measure, formats)}</strong>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

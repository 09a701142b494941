/** Labels of the time axis; a narrow screen hides every second label. */

import { useLocalization } from '../../../layout/localization-context.tsx';
import type { Series } from '../points.ts';
import { tickLabel } from '../time-label.ts';
import { tooltipPosition } from './tooltip.tsx';

const MAX_TICKS = 8;

export function Ticks({ series: { points, granularity } }: { readonly series: Series }) {
  const { formats } = useLocalization();
  const every = Math.ceil(points.length / MAX_TICKS);
  return (
    <ol className="ticks" aria-hidden="true">
      {points
        .map((point, place) => ({ point, place }))
        .filter(({ place }) => place % every === 0)
        .map(({ point, place }, at) => (
          <li
            key={point.name}
            className={at % 2 === 1 ? 'second' : undefined}
            style={tooltipPosition((place + 0.5) / points.length)}
          >
            {tickLabel(point, granularity, formats)}
          </li>
        ))}
    </ol>
  );
}

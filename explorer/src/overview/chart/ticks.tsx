/** Labels of the time axis; a narrow screen hides every second one. */

import { useLocalization } from '../../layout/localization-context.tsx';
import type { Granularity } from '../../query/periods.ts';
import type { Point } from './points.ts';
import { tooltipPosition } from './tooltip.tsx';

const MAX_TICKS = 8;

interface TicksProps {
  readonly points: readonly Point[];
  readonly granularity: Granularity;
}

export function Ticks({ points, granularity }: TicksProps) {
  const { formats } = useLocalization();
  const every = Math.ceil(points.length / MAX_TICKS);
  const labelOf = granularity === 'month' ? formats.shortMonth : formats.shortDay;
  return (
    <ol className="ticks" aria-hidden="true">
      {points
        .map(({ days }, place) => ({ day: days.start, place }))
        .filter(({ place }) => place % every === 0)
        .map(({ day, place }, at) => (
          <li
            key={day}
            className={at % 2 === 1 ? 'second' : undefined}
            style={tooltipPosition((place + 0.5) / points.length)}
          >
            {labelOf(day)}
          </li>
        ))}
    </ol>
  );
}

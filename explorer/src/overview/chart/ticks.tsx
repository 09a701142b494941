/** Which time it is below the bars: a few names, fewer where there is little room. */

import { useReader } from '../../layout/reader-context.tsx';
import type { Stretch } from '../../query/periods.ts';
import type { Point } from './points.ts';
import { leaning } from './tooltip.tsx';

const MOST_TICKS = 8;

interface TicksProps {
  readonly points: readonly Point[];
  readonly stretch: Stretch;
}

export function Ticks({ points, stretch }: TicksProps) {
  const { formats } = useReader();
  const every = Math.ceil(points.length / MOST_TICKS);
  const nameOf = stretch === 'month' ? formats.shortMonth : formats.shortDay;
  return (
    <ol className="ticks" aria-hidden="true">
      {points
        .map(({ days }, place) => ({ day: days.start, place }))
        .filter(({ place }) => place % every === 0)
        .map(({ day, place }, at) => (
          <li
            key={day}
            className={at % 2 === 1 ? 'second' : undefined}
            style={leaning((place + 0.5) / points.length)}
          >
            {nameOf(day)}
          </li>
        ))}
    </ol>
  );
}

/** Path of the former period's line, in an SVG as wide as the number of bars and 1 high. */

import { heightOf } from './scale.ts';

interface FormerPoint {
  /** Undefined where the former period has no value. */
  readonly former: number | undefined;
}

/** The line connects the middles of bars. A value without neighbours is a line as wide as its bar. */
export function formerPath(points: readonly FormerPoint[], top: number): string {
  const isKnown = (place: number) => points[place]?.former !== undefined;
  return points
    .map(({ former }, place) => {
      if (former === undefined) return '';
      const y = 1 - heightOf(former) / top;
      if (isKnown(place - 1)) return `L${place + 0.5} ${y}`;
      return isKnown(place + 1) ? `M${place + 0.5} ${y}` : `M${place} ${y}H${place + 1}`;
    })
    .join('');
}

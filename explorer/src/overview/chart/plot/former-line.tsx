/** Dashed line of the former period over the bars. */

import type { Point } from '../points.ts';
import { formerPath } from './former-path.ts';

interface FormerLineProps {
  readonly points: readonly Point[];
  /** The value at the top of the plot. */
  readonly top: number;
}

export function FormerLine({ points, top }: FormerLineProps) {
  if (points.every(({ former }) => former === undefined)) return null;
  return (
    <svg
      className="former-line"
      viewBox={`0 0 ${points.length} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={formerPath(points, top)} />
    </svg>
  );
}

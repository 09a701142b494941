/** Sparkline of a group's earnings over time, hidden from screen readers because the row has the sum. */

import { useLocalization } from '../../layout/localization-context.tsx';
import { sparklinePath } from './trends.ts';
import type { Trends } from './use-trends.ts';

interface SparklineProps {
  readonly trends: Trends;
  readonly value: string;
}

export function Sparkline({ trends: { granularity, lines }, value }: SparklineProps) {
  const { texts } = useLocalization();
  const values = lines.get(value) ?? [];
  return (
    <span
      className="trend"
      title={`${texts.performance.columns.earnings} ${texts.glance.by[granularity]}`}
      aria-hidden="true"
    >
      <svg
        viewBox={`0 0 ${Math.max(1, values.length - 1)} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {values.length > 1 && <path d={sparklinePath(values)} />}
      </svg>
    </span>
  );
}

/** The selected bars of the chart, also announced to screen readers. */

import { useLocalization } from '../../../layout/localization-context.tsx';
import type { Period } from '../../../query/periods.ts';
import { tooltipPosition } from './tooltip.tsx';
import type { ZoomRange } from './zoom-range.ts';

interface ZoomSelectionProps {
  readonly range: ZoomRange | undefined;
  readonly days: Period | undefined;
  /** The number of all bars of the chart. */
  readonly count: number;
}

export function ZoomSelection({ range, days, count }: ZoomSelectionProps) {
  const { texts, formats } = useLocalization();
  const when = days && formats.period(days.start, days.end);
  return (
    <>
      {range && (
        <div
          className="zoom-selection"
          style={{
            left: `${(Math.min(range.from, range.to) / count) * 100}%`,
            width: `${((Math.abs(range.to - range.from) + 1) / count) * 100}%`,
          }}
        />
      )}
      {range && (
        <div
          className="tip"
          style={tooltipPosition((range.from + range.to + 1) / 2 / count)}
          aria-hidden="true"
        >
          <strong>{when}</strong>
        </div>
      )}
      <p className="hidden" role="status">
        {when && texts.chart.selected(when)}
      </p>
    </>
  );
}

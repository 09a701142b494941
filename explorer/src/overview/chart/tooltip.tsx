/** The numbers of the bar that is looked at, above the plot, so that no bar is behind them. */

import type { CSSProperties } from 'react';
import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { useReader } from '../../layout/reader-context.tsx';
import type { Stretch } from '../../query/periods.ts';
import { labelsOf } from '../../texts/texts.ts';
import { StatusIcon } from '../../ui/status-icon.tsx';
import { type Measure, written } from '../measures.ts';
import type { Point } from './points.ts';
import { timeLabel } from './time-label.ts';

interface TipProps {
  readonly point: Point;
  readonly stretch: Stretch;
  readonly measure: Measure;
  /** From 0 at the left to 1 at the right. */
  readonly place: number;
}

export function Tooltip({ point, stretch, measure, place }: TipProps) {
  const { formats } = useReader();
  const labels = STATUS_LABELS[labelsOf(formats.tag)];
  return (
    <div className="tip" style={leaning(place)} aria-hidden="true">
      <span>
        {timeLabel(point, stretch, formats)}
        <strong>{written(point.total, measure, formats)}</strong>
      </span>
      {point.parts.map(({ status, value }) => (
        <span key={status}>
          <StatusIcon status={status} /> <span className="where-wide">{labels[status]}</span>
          <b>{written(value, measure, formats)}</b>
        </span>
      ))}
    </div>
  );
}

/** To the side on which there is room: at its place, and never beyond either end. */
export const leaning = (place: number): CSSProperties => ({
  left: `${place * 100}%`,
  translate: `${-place * 100}% 0`,
});

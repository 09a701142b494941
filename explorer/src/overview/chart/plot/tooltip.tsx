/** Tooltip with the numbers of the highlighted bar, above the plot so that it covers no bar. */

import type { CSSProperties } from 'react';
import { STATUS_LABELS } from '../../../../../src/contract/record/labels.ts';
import { useLocalization } from '../../../layout/localization-context.tsx';
import { labelLocaleOf } from '../../../texts/languages.ts';
import { StatusIcon } from '../../../ui/status-icon.tsx';
import { formatMeasure } from '../../measures.ts';
import type { Point, Series } from '../points.ts';
import { timeLabel } from '../time-label.ts';

interface TooltipProps {
  readonly point: Point;
  readonly series: Series;
  /** From 0 at the left to 1 at the right. */
  readonly position: number;
}

export function Tooltip({ point, series, position }: TooltipProps) {
  const { texts, formats } = useLocalization();
  const { granularity, measure, formerLabel } = series;
  const labels = STATUS_LABELS[labelLocaleOf(formats.tag)];
  return (
    <div className="tip" style={tooltipPosition(position)} aria-hidden="true">
      <span>
        {timeLabel(point, granularity, formats)}
        <strong>{formatMeasure(point.total, measure, formats)}</strong>
        {point.incomplete && (
          <span className="soft">{texts.chart.incomplete[point.incomplete]}</span>
        )}
      </span>
      {point.parts.map(({ status, value }) => (
        <span key={status}>
          <StatusIcon status={status} /> <span className="where-wide">{labels[status]}</span>
          <b>{formatMeasure(value, measure, formats)}</b>
        </span>
      ))}
      {formerLabel !== undefined && point.former !== undefined && (
        <span>
          <span className="soft">{formerLabel}</span>{' '}
          <b>{formatMeasure(point.former, measure, formats)}</b>
        </span>
      )}
    </div>
  );
}

/** Position at which an element never extends beyond either end of the plot. */
export const tooltipPosition = (position: number): CSSProperties => ({
  left: `${position * 100}%`,
  translate: `${-position * 100}% 0`,
});

/** One bar, stacked by status: a button that zooms to the days of the bar. */

import { useRef } from 'react';
import { STATUS_LABELS } from '../../../../../src/contract/record/labels.ts';
import { STATUS_NAMES } from '../../../../../src/contract/record/statuses.ts';
import { useLocalization } from '../../../layout/localization-context.tsx';
import { labelLocaleOf } from '../../../texts/languages.ts';
import { formatMeasure } from '../../measures.ts';
import type { Point, Series } from '../points.ts';
import { timeLabel } from '../time-label.ts';
import { heightOf } from './scale.ts';

interface BarProps {
  readonly point: Point;
  readonly series: Series;
  /** The value at the top of the plot. */
  readonly top: number;
  /** Whether the tab key stops here. */
  readonly isTabStop: boolean;
  readonly isHighlighted: boolean;
  highlight(): void;
  select(): void;
}

export function Bar({ point, series, top, isTabStop, isHighlighted, highlight, select }: BarProps) {
  const isFirstTap = useRef(false);
  return (
    <button
      type="button"
      className={point.incomplete === undefined ? 'bar' : 'bar incomplete'}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={useLabel(point, series)}
      // Touch has no hover, so the first tap only highlights.
      onPointerDown={({ pointerType }) => {
        isFirstTap.current = pointerType === 'touch' && !isHighlighted;
      }}
      // A click by keyboard has the `detail` 0.
      onClick={({ detail }) => (isFirstTap.current && detail > 0 ? highlight() : select())}
      onFocus={highlight}
      // Not onMouseEnter, which also happens when the page scrolls under a resting pointer.
      onMouseMove={highlight}
    >
      {point.parts.map(({ status, value }) => (
        <span
          key={status}
          className={STATUS_NAMES[status]}
          style={{ height: `${(heightOf(value) / top) * 100}%` }}
        />
      ))}
    </button>
  );
}

function useLabel(point: Point, { granularity, measure }: Series): string {
  const { texts, formats } = useLocalization();
  const labels = STATUS_LABELS[labelLocaleOf(formats.tag)];
  const number = (value: number) => formatMeasure(value, measure, formats);
  const parts = point.parts.map(({ status, value }) => `${labels[status]} ${number(value)}`);
  const { former, incomplete } = point;
  return [
    texts.glance.point(
      timeLabel(point, granularity, formats),
      number(point.total),
      parts.join(', '),
    ),
    ...(former === undefined ? [] : [texts.chart.before(number(former))]),
    ...(incomplete === undefined ? [] : [texts.chart.incomplete[incomplete]]),
  ].join(', ');
}

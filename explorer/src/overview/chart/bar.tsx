/** One stacked bar by status: a button that filters by its period. */

import { useRef } from 'react';
import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { STATUS_NAMES } from '../../../../src/contract/record/statuses.ts';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { Granularity } from '../../query/periods.ts';
import { labelsOf } from '../../texts/languages.ts';
import { formatMeasure, type Measure } from '../measures.ts';
import type { Point } from './points.ts';
import { timeLabel } from './time-label.ts';

interface BarProps {
  readonly point: Point;
  /** The value at the top of the plot. */
  readonly top: number;
  readonly granularity: Granularity;
  readonly measure: Measure;
  /** Whether the tab key stops here. */
  readonly isTabStop: boolean;
  readonly isHighlighted: boolean;
  highlight(): void;
  select(): void;
}

export function Bar({
  point,
  top,
  granularity,
  measure,
  isTabStop,
  isHighlighted,
  highlight,
  select,
}: BarProps) {
  const { texts, formats } = useLocalization();
  const isFirstTap = useRef(false);
  const labels = STATUS_LABELS[labelsOf(formats.tag)];
  const parts = point.parts
    .map(({ status, value }) => `${labels[status]} ${formatMeasure(value, measure, formats)}`)
    .join(', ');
  const total = formatMeasure(point.total, measure, formats);
  return (
    <button
      type="button"
      className="bar"
      tabIndex={isTabStop ? 0 : -1}
      aria-label={texts.glance.point(timeLabel(point, granularity, formats), total, parts)}
      // Touch has no hover, so the first tap only highlights.
      onPointerDown={({ pointerType }) => {
        isFirstTap.current = pointerType === 'touch' && !isHighlighted;
      }}
      // A click by keyboard has the count 0.
      onClick={({ detail }) => (isFirstTap.current && detail > 0 ? highlight() : select())}
      onFocus={highlight}
      // Not onMouseEnter, which also happens when the page scrolls under a resting pointer.
      onMouseMove={highlight}
    >
      {point.parts.map(({ status, value }) => (
        <span
          key={status}
          className={STATUS_NAMES[status]}
          style={{ height: `${(value / top) * 100}%` }}
        />
      ))}
    </button>
  );
}

/** One bar: its parts are the statuses; pressed, it narrows down to its days. */

import { useRef } from 'react';
import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { STATUS_NAMES } from '../../../../src/contract/record/statuses.ts';
import { useReader } from '../../layout/reader-context.tsx';
import type { Stretch } from '../../query/periods.ts';
import { labelsOf } from '../../texts/texts.ts';
import { type Measure, written } from '../measures.ts';
import type { Point } from './points.ts';
import { timeLabel } from './time-label.ts';

interface BarProps {
  readonly point: Point;
  /** The value at the upper end of the plot. */
  readonly top: number;
  readonly stretch: Stretch;
  readonly measure: Measure;
  /** Whether the tab key gets here. */
  readonly isNext: boolean;
  readonly isLooked: boolean;
  look(): void;
  narrow(): void;
}

export function Bar({ point, top, stretch, measure, isNext, isLooked, look, narrow }: BarProps) {
  const { texts, formats } = useReader();
  const isFirstTap = useRef(false);
  const labels = STATUS_LABELS[labelsOf(formats.tag)];
  const parts = point.parts
    .map(({ status, value }) => `${labels[status]} ${written(value, measure, formats)}`)
    .join(', ');
  const total = written(point.total, measure, formats);
  return (
    <button
      type="button"
      className="bar"
      tabIndex={isNext ? 0 : -1}
      aria-label={texts.glance.point(timeLabel(point, stretch, formats), total, parts)}
      // A finger cannot point without pressing, so its first tap is a look.
      onPointerDown={({ pointerType }) => {
        isFirstTap.current = pointerType === 'touch' && !isLooked;
      }}
      // A key clicks without a pointer, which is a click of no count.
      onClick={({ detail }) => (isFirstTap.current && detail > 0 ? look() : narrow())}
      onFocus={look}
      onMouseEnter={look}
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

/** Stacked bars, each a button that narrows down to its days; arrow keys go along them. */

import { type CSSProperties, type KeyboardEvent, useId, useRef, useState } from 'react';
import { STATUS_LABELS } from '../../../src/contract/labels.ts';
import { useAsker } from '../asker.tsx';
import type { Stretch } from '../periods.ts';
import { within } from '../periods.ts';
import { useReader } from '../reader.tsx';
import { STATUS_NAMES, StatusSign } from '../status-sign.tsx';
import { labelsOf } from '../texts/texts.ts';
import { type Measure, written } from './measures.ts';
import { type Point, scaleOf } from './points.ts';
import { whenOf } from './when.ts';

interface BarsProps {
  readonly points: readonly Point[];
  readonly stretch: Stretch;
  readonly measure: Measure;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function Bars({ points, stretch, measure }: BarsProps) {
  const { texts, formats } = useReader();
  const id = useId();
  const [looked, setLooked] = useState<number>();
  const bars = useRef<HTMLDivElement>(null);
  const lines = scaleOf(Math.max(0, ...points.map(({ total }) => total)));
  const top = lines.at(-1) ?? 1;
  const at = looked === undefined ? undefined : points[looked];
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(points.length - 1, Math.max(0, (looked ?? 0) + step));
    bars.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className="plot">
      <ol className="lines" aria-hidden="true">
        {lines.map((line) => (
          <li key={line} style={{ bottom: `${(line / top) * 100}%` }}>
            <span>{formats.short(line)}</span>
          </li>
        ))}
      </ol>
      {/* biome-ignore format: one attribute a line */}
      <div ref={bars} className="bars" role="toolbar" aria-describedby={id} aria-label={texts.glance.keys}
        onKeyDown={move} onMouseLeave={() => setLooked(undefined)}>
        {points.map((point, place) => (
          <Bar
            key={point.days.start}
            point={point}
            top={top}
            stretch={stretch}
            measure={measure}
            isNext={place === Math.min(looked ?? 0, points.length - 1)}
            look={() => setLooked(place)}
          />
        ))}
        {at !== undefined && looked !== undefined && (
          <Tip point={at} stretch={stretch} measure={measure} place={(looked + 0.5) / points.length} />
        )}
      </div>
      <Ticks points={points} stretch={stretch} />
      <p id={id} className="hidden">
        {texts.glance.keys}
      </p>
    </div>
  );
}

interface BarProps extends Omit<BarsProps, 'points'> {
  readonly point: Point;
  readonly top: number;
  readonly isNext: boolean;
  look(): void;
}

function Bar({ point, top, stretch, measure, isNext, look }: BarProps) {
  const { texts, formats } = useReader();
  const { change, days } = useAsker();
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
      aria-label={texts.glance.point(whenOf(point.days, stretch, formats), total, parts)}
      onClick={() => change({ period: within(point.days, days) })}
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

interface TipProps extends Pick<BarsProps, 'stretch' | 'measure'> {
  readonly point: Point;
  /** From 0 at the left to 1 at the right. */
  readonly place: number;
}

function Tip({ point, stretch, measure, place }: TipProps) {
  const { formats } = useReader();
  const labels = STATUS_LABELS[labelsOf(formats.tag)];
  // It leans to the side on which there is room.
  const style: CSSProperties = { left: `${place * 100}%`, translate: `${-place * 100}% 0` };
  return (
    <div className="tip" style={style} aria-hidden="true">
      <strong>{whenOf(point.days, stretch, formats)}</strong>
      {point.parts.map(({ status, value }) => (
        <span key={status}>
          <StatusSign status={status} /> {labels[status]}
          <b>{written(value, measure, formats)}</b>
        </span>
      ))}
    </div>
  );
}

const MOST_TICKS = 8;

function Ticks({ points, stretch }: Pick<BarsProps, 'points' | 'stretch'>) {
  const { formats } = useReader();
  const every = Math.ceil(points.length / MOST_TICKS);
  return (
    <ol className="ticks" aria-hidden="true">
      {points.map(({ days }, place) => (
        <li key={days.start}>
          {place % every === 0 && (
            <span className={(place / every) % 2 === 1 ? 'second' : undefined}>
              {stretch === 'month' ? formats.month(days.start) : formats.shortDay(days.start)}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

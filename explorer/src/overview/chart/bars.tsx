/** Stacked bars, each a button that narrows down to its days; arrow keys go along them. */

import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useAccess } from '../../access/access-context.tsx';
import { useReader } from '../../layout/reader-context.tsx';
import type { Stretch } from '../../query/periods.ts';
import type { Measure } from '../measures.ts';
import { Bar } from './bar.tsx';
import type { Point } from './points.ts';
import { scaleOf } from './scale.ts';
import { Ticks } from './ticks.tsx';
import { Tooltip } from './tooltip.tsx';

interface BarsProps {
  /** The id of what the chart is called by. */
  readonly title: string;
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

export function Bars({ title, points, stretch, measure }: BarsProps) {
  const { texts } = useReader();
  const { change } = useAccess();
  const id = useId();
  const [looked, setLooked] = useLooked();
  // Where the tab key comes back to.
  const [stop, setStop] = useState(0);
  const bars = useRef<HTMLDivElement>(null);
  const lines = scaleOf(Math.max(0, ...points.map(({ total }) => total)), measure);
  const top = lines.at(-1) ?? 1;
  const at = looked === undefined ? undefined : points[looked];
  // A finger leaves with each tap, and what it has asked for stays.
  const leave = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch') setLooked(undefined);
  };
  const blur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setLooked(undefined);
  };
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(points.length - 1, Math.max(0, (looked ?? stop) + step));
    bars.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className="plot">
      <Lines lines={lines} top={top} />
      {/* biome-ignore format: one attribute a line */}
      <div ref={bars} className="bars" role="toolbar" aria-describedby={id} aria-labelledby={title}
        onKeyDown={move} onPointerLeave={leave} onBlur={blur}>
        {points.map((point, place) => (
          <Bar
            key={point.days.start}
            point={point}
            top={top}
            stretch={stretch}
            measure={measure}
            isNext={place === Math.min(stop, points.length - 1)}
            isLooked={place === looked}
            look={() => {
              setLooked(place);
              setStop(place);
            }}
            narrow={() => {
              setLooked(undefined);
              change({ period: point.days });
            }}
          />
        ))}
        {at !== undefined && looked !== undefined && (
          <Tooltip point={at} stretch={stretch} measure={measure} place={(looked + 0.5) / points.length} />
        )}
      </div>
      <Ticks points={points} stretch={stretch} />
      <p id={id} className="hidden">
        {texts.glance.keys}
      </p>
    </div>
  );
}

/** Escape takes the numbers away, also of a bar that is only pointed at (WCAG 2.2, 1.4.13). */
function useLooked() {
  const [looked, setLooked] = useState<number>();
  const isLooked = looked !== undefined;
  useEffect(() => {
    if (!isLooked) return;
    const look = ({ key }: globalThis.KeyboardEvent) => {
      if (key === 'Escape') setLooked(undefined);
    };
    addEventListener('keydown', look);
    return () => removeEventListener('keydown', look);
  }, [isLooked]);
  return [looked, setLooked] as const;
}

interface LinesProps {
  readonly lines: readonly number[];
  readonly top: number;
}

function Lines({ lines, top }: LinesProps) {
  const { formats } = useReader();
  return (
    <ol className="lines" aria-hidden="true">
      {lines.map((line) => (
        <li key={line} style={{ bottom: `${(line / top) * 100}%` }}>
          <span>{formats.short(line)}</span>
        </li>
      ))}
    </ol>
  );
}

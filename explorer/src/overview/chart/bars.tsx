/** Stacked bars with a tooltip, keyboard navigation and a scale. */

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
import { useLocalization } from '../../layout/localization-context.tsx';
import type { Granularity } from '../../query/periods.ts';
import type { Measure } from '../measures.ts';
import { Bar } from './bar.tsx';
import type { Point } from './points.ts';
import { scaleOf } from './scale.ts';
import { Ticks } from './ticks.tsx';
import { Tooltip } from './tooltip.tsx';

interface BarsProps {
  /** The id of the chart's heading. */
  readonly title: string;
  readonly points: readonly Point[];
  readonly granularity: Granularity;
  readonly measure: Measure;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function Bars({ title, points, granularity, measure }: BarsProps) {
  const { texts } = useLocalization();
  const { change } = useAccess();
  const id = useId();
  const [highlighted, setHighlighted] = useHighlight();
  // The bar that the tab key returns to.
  const [tabStop, setTabStop] = useState(0);
  const bars = useRef<HTMLDivElement>(null);
  const lines = scaleOf(Math.max(0, ...points.map(({ total }) => total)), measure);
  const top = lines.at(-1) ?? 1;
  const point = highlighted === undefined ? undefined : points[highlighted];
  // Touch leaves after each tap, and the tooltip should stay.
  const onPointerLeave = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch') setHighlighted(undefined);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setHighlighted(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(points.length - 1, Math.max(0, (highlighted ?? tabStop) + step));
    bars.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className="plot">
      <Lines lines={lines} top={top} />
      {/* biome-ignore format: one attribute a line */}
      <div ref={bars} className="bars" role="toolbar" aria-describedby={id} aria-labelledby={title}
        onKeyDown={onKeyDown} onPointerLeave={onPointerLeave} onBlur={onBlur}>
        {points.map((one, place) => (
          <Bar
            key={one.days.start}
            point={one}
            top={top}
            granularity={granularity}
            measure={measure}
            isTabStop={place === Math.min(tabStop, points.length - 1)}
            isHighlighted={place === highlighted}
            highlight={() => {
              setHighlighted(place);
              setTabStop(place);
            }}
            select={() => {
              setHighlighted(undefined);
              change({ period: one.days });
            }}
          />
        ))}
        {point !== undefined && highlighted !== undefined && (
          <Tooltip point={point} granularity={granularity} measure={measure} position={(highlighted + 0.5) / points.length} />
        )}
      </div>
      <Ticks points={points} granularity={granularity} />
      <p id={id} className="hidden">
        {texts.glance.keys}
      </p>
    </div>
  );
}

/** Escape hides the tooltip of a hovered or focused bar (WCAG 2.2, 1.4.13). */
function useHighlight() {
  const [highlighted, setHighlighted] = useState<number>();
  const isActive = highlighted !== undefined;
  useEffect(() => {
    if (!isActive) return;
    const onKey = ({ key }: globalThis.KeyboardEvent) => {
      if (key === 'Escape') setHighlighted(undefined);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isActive]);
  return [highlighted, setHighlighted] as const;
}

interface LinesProps {
  readonly lines: readonly number[];
  readonly top: number;
}

function Lines({ lines, top }: LinesProps) {
  const { formats } = useLocalization();
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

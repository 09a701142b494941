/** Stacked bars with a tooltip, keyboard navigation, zoom and a scale. */

import { type FocusEvent, type PointerEvent, useId, useState } from 'react';
import { useLocalization } from '../../../layout/localization-context.tsx';
import type { Series } from '../points.ts';
import { Bar } from './bar.tsx';
import { FormerLine } from './former-line.tsx';
import { Lines } from './lines.tsx';
import { highestOf, scaleOf } from './scale.ts';
import { Ticks } from './ticks.tsx';
import { Tooltip } from './tooltip.tsx';
import { useBarKeys } from './use-bar-keys.ts';
import { useHighlight } from './use-highlight.ts';
import { useZoom } from './use-zoom.ts';
import { ZoomSelection } from './zoom-selection.tsx';

interface BarsProps {
  /** The id of the chart's heading. */
  readonly title: string;
  readonly series: Series;
}

export function Bars({ title, series }: BarsProps) {
  const { texts } = useLocalization();
  const { points, measure } = series;
  const id = useId();
  const [highlighted, setHighlighted] = useHighlight();
  // The bar that the tab key returns to.
  const [tabStop, setTabStop] = useState(0);
  const zoom = useZoom(points);
  const stop = Math.min(tabStop, points.length - 1);
  const { bars, onKeyDown } = useBarKeys({
    count: points.length,
    place: highlighted ?? stop,
    selectRange: zoom.select,
    cancelRange: zoom.cancel,
  });
  const lines = scaleOf(highestOf(points), measure);
  const top = lines.at(-1) ?? 1;
  const point = highlighted === undefined ? undefined : points[highlighted];
  // A touch pointer leaves after each tap, but the tooltip should stay.
  const onPointerLeave = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch') setHighlighted(undefined);
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return;
    setHighlighted(undefined);
    zoom.cancel();
  };
  return (
    <div className="plot">
      <Lines lines={lines} top={top} />
      {/* biome-ignore format: one attribute a line */}
      <div ref={bars} className="bars" role="toolbar" aria-describedby={id} aria-labelledby={title}
        onKeyDown={onKeyDown} onPointerLeave={onPointerLeave} onBlur={onBlur} {...zoom.handlers}>
        {points.map((one, place) => (
          <Bar
            key={one.name}
            point={one}
            series={series}
            top={top}
            isTabStop={place === stop}
            isHighlighted={place === highlighted}
            highlight={() => {
              setHighlighted(place);
              setTabStop(place);
            }}
            select={() => {
              if (!zoom.canZoom) return setHighlighted(place);
              setHighlighted(undefined);
              zoom.zoomTo(zoom.range ?? { from: place, to: place });
            }}
          />
        ))}
        <FormerLine points={points} top={top} />
        <ZoomSelection range={zoom.range} days={zoom.days} count={points.length} />
        {point !== undefined && highlighted !== undefined && zoom.range === undefined && (
          <Tooltip point={point} series={series} position={(highlighted + 0.5) / points.length} />
        )}
      </div>
      <Ticks series={series} />
      <p id={id} className="hidden">
        {zoom.canZoom ? `${texts.glance.keys} ${texts.chart.zoomKeys}` : texts.chart.moveKeys}
      </p>
    </div>
  );
}

/** React hook that selects neighbouring bars by dragging, or by keys, and makes them the period. */

import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import { useExplorer } from '../../../access/explorer-context.tsx';
import type { Point } from '../points.ts';
import { useEscape } from './use-escape.ts';
import { barAt, daysOfRange, type ZoomRange } from './zoom-range.ts';

export function useZoom(points: readonly Point[]) {
  const { change } = useExplorer();
  const [range, setRange] = useState<ZoomRange>();
  /** The bar at which the pointer is down. */
  const pressed = useRef<number>(undefined);
  const wasDragged = useRef(false);
  const cancel = () => {
    pressed.current = undefined;
    setRange(undefined);
  };
  useEscape(range !== undefined, cancel);
  const canZoom = points.length > 1 && points[0]?.days.start !== points.at(-1)?.days.end;
  const zoomTo = (selected: ZoomRange) => {
    const period = daysOfRange(points, selected);
    cancel();
    if (period !== undefined) change({ period });
  };
  const placeOf = ({ clientX, currentTarget }: PointerEvent) =>
    barAt(clientX, currentTarget.getBoundingClientRect(), points.length);
  return {
    range,
    days: range && daysOfRange(points, range),
    /** False for a single bar, and for the hours of one day, because a period has whole days. */
    canZoom,
    zoomTo,
    cancel,
    /** Extends the selection to the bar `to`. Without a selection, begins one at the bar `from`. */
    select: (from: number, to: number) => {
      if (canZoom) setRange({ from: range?.from ?? from, to });
    },
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        wasDragged.current = false;
        setRange(undefined);
        pressed.current = event.button === 0 && canZoom ? placeOf(event) : undefined;
      },
      onPointerMove: (event: PointerEvent) => {
        const from = pressed.current;
        if (from === undefined) return;
        const to = placeOf(event);
        if (to === from && range === undefined) return;
        // The drag continues outside the plot.
        event.currentTarget.setPointerCapture(event.pointerId);
        wasDragged.current = true;
        setRange({ from, to });
      },
      onPointerUp: (event: PointerEvent) => {
        const from = pressed.current;
        pressed.current = undefined;
        if (wasDragged.current && from !== undefined) zoomTo({ from, to: placeOf(event) });
      },
      onPointerCancel: cancel,
      /** The click that ends a drag selects no bar. */
      onClickCapture: (event: MouseEvent) => {
        if (wasDragged.current && event.detail > 0) event.stopPropagation();
        wasDragged.current = false;
      },
    },
  };
}

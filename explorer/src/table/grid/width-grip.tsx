/** Grip at the right edge of a column header: dragging the grip changes the width of the column. */

import { type PointerEvent, useRef } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { ChosenWidths } from './chosen-widths.ts';
import type { ColumnWidths } from './use-column-widths.ts';

interface WidthGripProps {
  /** The name of the column. */
  readonly name: string;
  readonly widths: ColumnWidths;
}

interface Drag {
  /** The horizontal position of the pointer when the drag began, in pixels. */
  readonly from: number;
  readonly widths: ChosenWidths;
}

/** A double click resets the width. For keyboards, the sheet of columns has buttons. */
export function WidthGrip({ name, widths }: WidthGripProps) {
  const { texts } = useLocalization();
  const drag = useRef<Drag>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from: event.clientX, widths: widthsUntil(event.currentTarget) };
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current === undefined || clientX === drag.current.from) return;
    const { from, widths: before } = drag.current;
    widths.choose({ ...before, [name]: (before[name] ?? 0) + (clientX - from) / pixelsPerRem() });
  };
  const end = () => {
    drag.current = undefined;
  };
  return (
    <span
      className="width-grip"
      aria-hidden="true"
      title={texts.list.dragWidth}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => widths.reset(name)}
    />
  );
}

const pixelsPerRem = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * The present widths of this column and of the columns before it. The drag stores all of them. Otherwise the columns
 * before it could change too, because columns without a stored width grow to fill the screen.
 */
function widthsUntil(grip: HTMLElement): ChosenWidths {
  const header = grip.closest('th');
  const headers = [...(header?.parentElement?.querySelectorAll('th') ?? [])];
  const measured = headers
    .slice(0, headers.findIndex((other) => other.contains(grip)) + 1)
    .map(({ dataset, offsetWidth }) => [dataset.column ?? '', offsetWidth / pixelsPerRem()]);
  return Object.fromEntries(measured);
}

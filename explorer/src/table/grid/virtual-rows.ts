/** Which rows of a long list are in sight: browsers show no element that is as high as a million rows. */

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Pixels. */
export const ROW = 40;
const HEAD = 40;
/** What every browser can show. */
const HIGHEST = 12_000_000;
/** Rows beyond the edges, so that none is missing while one scrolls. */
const BEYOND = 8;

export interface VirtualRows {
  readonly first: number;
  readonly last: number;
  /** Of all that is scrolled through, in pixels. */
  readonly height: number;
  /** Where the first row stands in it. */
  readonly top: number;
  onScroll(): void;
  show(row: number): void;
  readonly rowsInSight: number;
}

/**
 * Lists that are higher than a browser shows are scrolled through pixel by pixel nonetheless: only
 * when the scroll bar is dragged does its place stand for a place in the whole.
 */
export function useVirtualRows(
  frame: RefObject<HTMLDivElement | null>,
  count: number,
): VirtualRows {
  const [sight, setSight] = useState({ from: 0, shift: 0, height: 600 });
  const last = useRef(0);
  const shift = useRef(0);
  const whole = count * ROW;
  const shown = Math.min(whole, HIGHEST);
  const space = Math.max(ROW, sight.height - HEAD);
  const most = Math.max(0, whole - space);
  const ratio = whole > shown ? most / (shown - space) : 1;

  const look = useCallback(
    (virtual: number, scrollTop: number) => {
      shift.current = ratio === 1 ? 0 : virtual - scrollTop;
      last.current = scrollTop;
      const from = Math.floor(Math.min(Math.max(0, virtual), most) / ROW);
      setSight((before) =>
        before.from === from && before.shift === shift.current
          ? before
          : { ...before, from, shift: shift.current },
      );
    },
    [ratio, most],
  );

  /** Puts the scroll bar where it belongs; nothing that is in sight moves. */
  const align = useCallback(
    (virtual: number) => {
      const { current } = frame;
      if (current === null) return;
      current.scrollTop = virtual / ratio;
      look(virtual, current.scrollTop);
    },
    [frame, look, ratio],
  );

  const onScroll = useCallback(() => {
    const { current } = frame;
    if (current === null) return;
    const { scrollTop } = current;
    const isDragged = Math.abs(scrollTop - last.current) > space;
    const virtual = ratio === 1 || isDragged ? scrollTop * ratio : scrollTop + shift.current;
    const isAtEnd = scrollTop <= 0 || scrollTop >= shown - space;
    if (ratio !== 1 && isAtEnd && !isDragged) align(Math.min(Math.max(0, virtual), most));
    else look(virtual, scrollTop);
  }, [frame, ratio, space, shown, most, look, align]);

  const show = useCallback(
    (row: number) => {
      const { current } = frame;
      if (current === null) return;
      const virtual = current.scrollTop + shift.current;
      const top = row * ROW;
      if (top < virtual) align(top);
      else if (top + ROW > virtual + space) align(Math.min(most, top + ROW - space));
    },
    [frame, align, space, most],
  );

  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(() =>
      setSight((before) => ({ ...before, height: current.clientHeight })),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [frame]);

  const rowsInSight = Math.ceil(space / ROW);
  const first = Math.max(0, Math.min(sight.from, count - rowsInSight) - BEYOND);
  return {
    first,
    last: Math.min(count - 1, sight.from + rowsInSight + BEYOND),
    height: shown + HEAD,
    top: first * ROW - (ratio === 1 ? 0 : sight.shift),
    onScroll,
    show,
    rowsInSight,
  };
}

/** Virtual scrolling for lists that are higher than the maximum height of an element. */

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** In pixels, as in the style sheet. */
const HEAD_HEIGHT = 40;
/** A height that every browser can render. */
const MAX_HEIGHT = 12_000_000;
/** Rows rendered beyond each edge, so that none is missing during scrolling. */
const OVERSCAN = 8;

export interface VirtualRows {
  readonly first: number;
  readonly last: number;
  /** The height of the scrolled content in pixels. */
  readonly height: number;
  /** The position of the first rendered row in the content, in pixels. */
  readonly top: number;
  onScroll(): void;
  show(row: number): void;
  readonly rowsInSight: number;
}

/**
 * In a list above the maximum height, small steps scroll by pixels. A jump, such as dragging the scroll bar,
 * goes to the corresponding position in the full list.
 */
export function useVirtualRows(
  frame: RefObject<HTMLDivElement | null>,
  count: number,
  /** In pixels; all rows have the same height. */
  rowHeight: number,
): VirtualRows {
  const [viewport, setViewport] = useState({ from: 0, shift: 0, height: 600 });
  const last = useRef(0);
  const shift = useRef(0);
  const listHeight = count * rowHeight;
  const shown = Math.min(listHeight, MAX_HEIGHT);
  const visibleHeight = Math.max(rowHeight, viewport.height - HEAD_HEIGHT);
  const maxTop = Math.max(0, listHeight - visibleHeight);
  const ratio = listHeight > shown ? maxTop / (shown - visibleHeight) : 1;

  const update = useCallback(
    (virtual: number, scrollTop: number) => {
      shift.current = ratio === 1 ? 0 : virtual - scrollTop;
      last.current = scrollTop;
      const from = Math.floor(Math.min(Math.max(0, virtual), maxTop) / rowHeight);
      setViewport((before) =>
        before.from === from && before.shift === shift.current
          ? before
          : { ...before, from, shift: shift.current },
      );
    },
    [ratio, maxTop, rowHeight],
  );

  /** Shows the rows at a position in the full list, and moves the scroll bar to match. */
  const align = useCallback(
    (virtual: number) => {
      const { current } = frame;
      if (current === null) return;
      current.scrollTop = virtual / ratio;
      update(virtual, current.scrollTop);
    },
    [frame, update, ratio],
  );

  const { from } = viewport;
  const rowHeightBefore = useRef(rowHeight);
  // Rows that become higher or lower, for example when a phone is turned, stay in place.
  useLayoutEffect(() => {
    if (rowHeightBefore.current === rowHeight) return;
    rowHeightBefore.current = rowHeight;
    align(Math.min(maxTop, from * rowHeight));
  }, [align, maxTop, from, rowHeight]);

  const onScroll = useCallback(() => {
    const { current } = frame;
    if (current === null) return;
    const { scrollTop } = current;
    const isDragged = Math.abs(scrollTop - last.current) > visibleHeight;
    const virtual = ratio === 1 || isDragged ? scrollTop * ratio : scrollTop + shift.current;
    const isAtEnd = scrollTop <= 0 || scrollTop >= shown - visibleHeight;
    if (ratio !== 1 && isAtEnd && !isDragged) align(Math.min(Math.max(0, virtual), maxTop));
    else update(virtual, scrollTop);
  }, [frame, ratio, visibleHeight, shown, maxTop, update, align]);

  const show = useCallback(
    (row: number) => {
      const { current } = frame;
      if (current === null) return;
      const virtual = current.scrollTop + shift.current;
      const top = row * rowHeight;
      if (top < virtual) align(top);
      else if (top + rowHeight > virtual + visibleHeight)
        align(Math.min(maxTop, top + rowHeight - visibleHeight));
    },
    [frame, align, visibleHeight, maxTop, rowHeight],
  );

  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(() =>
      setViewport((before) => ({ ...before, height: current.clientHeight })),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [frame]);

  const rowsInSight = Math.ceil(visibleHeight / rowHeight);
  const first = Math.max(0, Math.min(viewport.from, count - rowsInSight) - OVERSCAN);
  return {
    first,
    last: Math.min(count - 1, viewport.from + rowsInSight + OVERSCAN),
    height: shown + HEAD_HEIGHT,
    top: first * rowHeight - (ratio === 1 ? 0 : viewport.shift),
    onScroll,
    show,
    rowsInSight,
  };
}

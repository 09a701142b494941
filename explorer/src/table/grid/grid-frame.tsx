/** Scroll container of the grid, with a shadow at its right edge while more columns follow. */

import { type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react';

interface GridFrameProps {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** Whether the rows belong to the previous query. */
  readonly isStale: boolean;
  readonly children: ReactNode;
  onScroll(): void;
}

export function GridFrame({ frame, isStale, children, onScroll }: GridFrameProps) {
  const [hasMore, setMore] = useState(false);
  const updateShadow = useCallback(() => {
    const { current } = frame;
    if (current === null) return;
    setMore(current.scrollLeft + current.clientWidth < current.scrollWidth - 1);
  }, [frame]);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(updateShadow);
    observer.observe(current);
    // A change of the columns changes the width of the table.
    for (const inner of current.children) observer.observe(inner);
    return () => observer.disconnect();
  }, [frame, updateShadow]);
  return (
    <div className={`grid-frame${hasMore ? ' more' : ''}${isStale ? ' old' : ''}`}>
      <div
        ref={frame}
        className="grid"
        onScroll={() => {
          onScroll();
          updateShadow();
        }}
      >
        {children}
      </div>
    </div>
  );
}

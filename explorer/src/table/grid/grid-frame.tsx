/** What the list is scrolled in; its right edge has a shadow as long as there is more behind it. */

import { type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react';

interface GridFrameProps {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** Whether what is in it is of the question before. */
  readonly isOld: boolean;
  readonly children: ReactNode;
  onScroll(): void;
}

export function GridFrame({ frame, isOld, children, onScroll }: GridFrameProps) {
  const [hasMore, setMore] = useState(false);
  const look = useCallback(() => {
    const { current } = frame;
    if (current === null) return;
    setMore(current.scrollLeft + current.clientWidth < current.scrollWidth - 1);
  }, [frame]);
  useEffect(() => {
    const { current } = frame;
    if (current === null) return;
    const observer = new ResizeObserver(look);
    observer.observe(current);
    // Other columns may end elsewhere.
    for (const inner of current.children) observer.observe(inner);
    return () => observer.disconnect();
  }, [frame, look]);
  return (
    <div className={`grid-frame${hasMore ? ' more' : ''}${isOld ? ' old' : ''}`}>
      <div
        ref={frame}
        className="grid"
        onScroll={() => {
          onScroll();
          look();
        }}
      >
        {children}
      </div>
    </div>
  );
}

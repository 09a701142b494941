/** React hook for the highlighted bar, whose tooltip is shown. */

import { useEffect, useState } from 'react';

/** Escape hides the tooltip of a hovered or focused bar (WCAG 2.2, 1.4.13). */
export function useHighlight() {
  const [highlighted, setHighlighted] = useState<number>();
  useEscape(highlighted !== undefined, () => setHighlighted(undefined));
  return [highlighted, setHighlighted] as const;
}

export function useEscape(isActive: boolean, action: () => void): void {
  useEffect(() => {
    if (!isActive) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') action();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

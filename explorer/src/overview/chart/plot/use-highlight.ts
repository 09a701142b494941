/** React hook for the highlighted bar, whose tooltip is shown. */

import { useState } from 'react';
import { useEscape } from './use-escape.ts';

/** Escape hides the tooltip of a hovered or focused bar (WCAG 2.2, 1.4.13). */
export function useHighlight() {
  const [highlighted, setHighlighted] = useState<number>();
  useEscape(highlighted !== undefined, () => setHighlighted(undefined));
  return [highlighted, setHighlighted] as const;
}

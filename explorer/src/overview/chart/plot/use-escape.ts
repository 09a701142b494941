/** React hook that runs an action when Escape is pressed anywhere on the page. */

import { useEffect, useRef } from 'react';

export function useEscape(isActive: boolean, action: () => void): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  // Keeps one listener while the hook is active. A new one would miss a key that is handled at that moment.
  useEffect(() => {
    if (!isActive) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isActive]);
}

/** React hook that runs an action when Escape is pressed anywhere on the page. */

import { useEffect, useRef } from 'react';

export function useEscape(isActive: boolean, action: () => void): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  // One listener for as long as the hook is active. A listener that is replaced while a key is handled misses the key.
  useEffect(() => {
    if (!isActive) return;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isActive]);
}

/** React hook for a typed text as it was when typing paused, so that not every letter is a request. */

import { useEffect, useState } from 'react';

/** Milliseconds without typing. */
const PAUSE = 250;

export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

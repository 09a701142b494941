/** React hook that debounces a text that keys change, so that not every keystroke sends a request. */

import { useEffect, useState } from 'react';

/** Milliseconds without a change after which the text is returned. */
const PAUSE = 250;

export function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

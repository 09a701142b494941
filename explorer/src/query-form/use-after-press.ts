/** Does something once a press of the mouse has become a click: what moves under the pointer before that loses the click. */

import { useEffect, useRef } from 'react';

export interface AfterPress {
  /** At once, where nothing is pressed. */
  soon(): void;
  never(): void;
}

export function useAfterPress(act: () => void): AfterPress {
  const latest = useRef(act);
  const isPressed = useRef(false);
  const isDue = useRef(false);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const leaving = new AbortController();
    const options = { capture: true, signal: leaving.signal };
    const press = () => {
      isPressed.current = true;
    };
    const release = () => {
      isPressed.current = false;
      // The click comes right after it.
      setTimeout(() => {
        if (isDue.current && !leaving.signal.aborted) latest.current();
        isDue.current = false;
      });
    };
    addEventListener('mousedown', press, options);
    addEventListener('mouseup', release, options);
    addEventListener('dragend', release, options);
    return () => leaving.abort();
  }, []);
  return {
    soon: () => {
      if (isPressed.current) isDue.current = true;
      else latest.current();
    },
    never: () => {
      isDue.current = false;
    },
  };
}

/** React hook that delays an action until a mouse press ends, so that a layout change cannot lose the click. */

import { useEffect, useRef } from 'react';

export interface AfterPress {
  /** Runs the action after the present mouse press, or at once if no button is pressed. */
  schedule(): void;
  cancel(): void;
}

export function useAfterPress(action: () => void): AfterPress {
  const latest = useRef(action);
  const isPressed = useRef(false);
  const isDue = useRef(false);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    const press = () => {
      isPressed.current = true;
    };
    const release = () => {
      isPressed.current = false;
      // The click event follows the mouseup event.
      setTimeout(() => {
        if (isDue.current && !controller.signal.aborted) latest.current();
        isDue.current = false;
      });
    };
    addEventListener('mousedown', press, options);
    addEventListener('mouseup', release, options);
    addEventListener('dragend', release, options);
    return () => controller.abort();
  }, []);
  return {
    schedule: () => {
      if (isPressed.current) isDue.current = true;
      else latest.current();
    },
    cancel: () => {
      isDue.current = false;
    },
  };
}

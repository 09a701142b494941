/** React hook that focuses a control of the filter bar after the render that adds, switches or removes a filter. */

import { type RefObject, useEffect, useRef } from 'react';

/** Controls are named by `data-control`. */
export function useFocusNext(): readonly [
  RefObject<HTMLFieldSetElement | null>,
  (control: string) => void,
] {
  const bar = useRef<HTMLFieldSetElement>(null);
  const next = useRef<string>(undefined);
  useEffect(() => {
    if (next.current === undefined) return;
    bar.current?.querySelector<HTMLElement>(`[data-control="${next.current}"]`)?.focus();
    next.current = undefined;
  });
  return [
    bar,
    (control) => {
      next.current = control;
    },
  ];
}

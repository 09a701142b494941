/** React hook that focuses a control of the filter bar after the next render: an added filter, or the control after a removed one. */

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

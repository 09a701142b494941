/** React hook for the keys of the chart: arrows move between bars, and with Shift select a range. */

import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { actionOf, type KeyAction } from '../../../keys/keys.ts';

interface BarKeys {
  readonly bars: RefObject<HTMLDivElement | null>;
  onKeyDown(event: KeyboardEvent): void;
}

interface BarKeysOptions {
  readonly count: number;
  /** The bar that the keys move from. */
  readonly place: number;
  selectRange(from: number, to: number): void;
  cancelRange(): void;
}

/** How many bars an action moves by. The other actions have handlers of their own. */
const STEPS: Readonly<Partial<Record<KeyAction<'chart'>, number>>> = {
  earlier: -1,
  later: 1,
  first: Number.NEGATIVE_INFINITY,
  last: Number.POSITIVE_INFINITY,
};

export function useBarKeys({ count, place, selectRange, cancelRange }: BarKeysOptions): BarKeys {
  const bars = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actionOf('chart', event);
    const step = action && STEPS[action];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(count - 1, Math.max(0, place + step));
    if (event.shiftKey) selectRange(place, next);
    else cancelRange();
    bars.current?.querySelectorAll('button')[next]?.focus();
  };
  return { bars, onKeyDown };
}

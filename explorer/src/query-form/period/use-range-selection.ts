/** React hook for a range of days: the user clicks its first and its last day, in either order. */

import { useState } from 'react';
import type { Period } from '../../query/periods.ts';

interface TwoClicks {
  /** The day of the first click; undefined before it and after the second click. */
  readonly begun: string | undefined;
  /** The chosen range, or the one that a click on the hovered day would choose. */
  readonly shown: Period;
  hover(day: string): void;
  choose(day: string): void;
}

export function useRangeSelection(days: Period, select: (days: Period) => void): TwoClicks {
  const [begun, setBegun] = useState<string>();
  const [hovered, hover] = useState<string>();
  return {
    begun,
    hover,
    shown: begun === undefined ? days : rangeBetween(begun, hovered ?? begun),
    choose: (day) => {
      if (begun === undefined) return setBegun(day);
      setBegun(undefined);
      select(rangeBetween(begun, day));
    },
  };
}

const rangeBetween = (one: string, other: string): Period =>
  one < other ? { start: one, end: other } : { start: other, end: one };

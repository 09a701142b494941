/** Change of a number against the former period, or why a percentage would mislead. */

export type RelativeChange =
  | { readonly type: 'none' }
  /** There was nothing before. */
  | { readonly type: 'new' }
  | { readonly type: 'multiplied' }
  /** The change as a part of the former number, such as 0.12, rounded to a tenth of a percent. */
  | { readonly type: 'part'; readonly part: number };

/** From this factor on, the former number is too small for a percentage. */
export const MAX_GROWTH = 10;

const TENTHS = 1000;

export function changeOf(now: number, before: number): RelativeChange {
  // A percentage of a negative number would have the wrong sign.
  if (before < 0) return { type: 'none' };
  if (before === 0) return { type: now === 0 ? 'none' : 'new' };
  const growth = now / before;
  if (growth >= MAX_GROWTH) return { type: 'multiplied' };
  return { type: 'part', part: roundedTo(growth - 1, TENTHS) };
}

/** The difference of two ratios, rounded to a tenth of a percentage point. */
export const pointsBetween = (now: number, before: number): number =>
  roundedTo(now - before, TENTHS);

/** Adding 0 turns -0 into 0. */
const roundedTo = (value: number, unit: number): number => Math.round(value * unit) / unit + 0;

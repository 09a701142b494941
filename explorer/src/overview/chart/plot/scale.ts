/** Scale of the chart: round values for the grid lines. */

import type { SummaryMeasure } from '../../measures.ts';

const MIN_LINES = 3;
const STEPS = [1, 2, 2.5, 5, 10];

interface Heights {
  readonly parts: readonly { readonly value: number }[];
  readonly former: number | undefined;
}

/** The height of a value in the plot. Negative values, such as refunds, have none. */
export const heightOf = (value: number): number => Math.max(0, value);

/** The largest height of a bar or of the former line. */
export const highestOf = (points: readonly Heights[]): number =>
  Math.max(
    0,
    ...points.flatMap(({ parts, former = 0 }) => [
      parts.reduce((sum, { value }) => sum + heightOf(value), 0),
      former,
    ]),
  );

/** Round values from 0 to at least the largest value. Counts get whole numbers. */
export function scaleOf(
  largest: number,
  { isMoney }: Pick<SummaryMeasure, 'isMoney'>,
): readonly number[] {
  if (largest <= 0) return [0, 1];
  const minimum = largest / MIN_LINES;
  const power = 10 ** Math.floor(Math.log10(minimum));
  const steps = STEPS.map((one) => one * power).filter((one) => isMoney || Number.isInteger(one));
  const step = steps.find((one) => one >= minimum) ?? Math.ceil(minimum);
  const lines = Math.ceil(largest / step);
  return Array.from({ length: lines + 1 }, (_, at) => at * step);
}

/** The scale of the chart: which lines there are behind the bars. */

import type { Measure } from '../measures.ts';

const FEWEST_LINES = 3;
const STEPS = [1, 2, 2.5, 5, 10];

/** Round numbers from 0 to above the largest one, for the lines behind the bars; whole ones of what is counted. */
export function scaleOf(largest: number, { isMoney }: Pick<Measure, 'isMoney'>): readonly number[] {
  if (largest <= 0) return [0, 1];
  const wanted = largest / FEWEST_LINES;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const steps = STEPS.map((one) => one * power).filter((one) => isMoney || Number.isInteger(one));
  const step = steps.find((one) => one >= wanted) ?? Math.ceil(wanted);
  const lines = Math.ceil(largest / step);
  return Array.from({ length: lines + 1 }, (_, at) => at * step);
}

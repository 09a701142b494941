/** The table of ratios: quotients of sums of measures. */

import type { Role } from '../record/records.ts';
import { type MeasureName, measuresOf } from './measures.ts';

export interface Ratio {
  readonly name: string;
  /** The measures whose sum is divided. */
  readonly numerator: readonly MeasureName[];
  /** The measures whose sum is the divisor. If it is 0, the ratio is null. */
  readonly denominator: readonly MeasureName[];
  readonly meaning: string;
}

/** Ratios are rounded half away from zero to this number of decimal places, as many as amounts have. */
export const RATIO_DECIMALS = 6;

/** A new ratio is a new line. A role has a ratio if the role sees all measures of the ratio. */
// biome-ignore format: one ratio a line
const RATIOS: readonly Ratio[] = [
  { name: 'click_through_rate', numerator: ['clics'], denominator: ['impressions'], meaning: 'Clicks per impression' },
  { name: 'conversion_rate', numerator: ['leads', 'sales'], denominator: ['clics'], meaning: 'Leads and sales of every status, divided by clicks' },
  { name: 'earnings_per_click', numerator: ['earnings'], denominator: ['clics'], meaning: 'Earnings per click' },
  { name: 'approval_rate', numerator: ['leads_validated', 'sales_validated'], denominator: ['leads_validated', 'sales_validated', 'leads_refused', 'sales_refused'], meaning: 'Share of validated leads and sales among those that are validated or refused, without pending ones' },
  { name: 'average_order_value', numerator: ['amount'], denominator: ['sales'], meaning: 'Amount per sale, of every status' },
];

/** The ratios that a role sees, in the order of its record. */
export function ratiosOf(role: Role): readonly Ratio[] {
  const seen = new Set(measuresOf(role).map(({ name }) => name));
  return RATIOS.filter(({ numerator, denominator }) =>
    [...numerator, ...denominator].every((name) => seen.has(name)),
  );
}

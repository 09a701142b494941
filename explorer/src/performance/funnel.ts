/** The steps from impression to sale, each with its rate per impression or per click. */

import type { Sums } from './sums.ts';

const STEPS = [
  { name: 'impressions', per: undefined },
  { name: 'clics', per: 'impressions' },
  { name: 'leads', per: 'clics' },
  { name: 'sales', per: 'clics' },
] as const;

export interface FunnelStep {
  readonly name: (typeof STEPS)[number]['name'];
  readonly count: number;
  /** Per impression or per click; null if there is nothing to divide by. */
  readonly rate: number | null;
}

/** A sale does not follow a lead, so both have rates per click. */
export const funnelOf = (sums: Sums): readonly FunnelStep[] =>
  STEPS.map(({ name, per }) => {
    const count = sums[name] ?? 0;
    const divisor = per === undefined ? 0 : (sums[per] ?? 0);
    return { name, count, rate: divisor === 0 ? null : count / divisor };
  });

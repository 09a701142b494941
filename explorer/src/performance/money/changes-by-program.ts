/** The programs whose earnings changed against the former period, the largest difference first. */

import type { ResultRow } from '../../query/api-query.ts';

export interface ProgramChange {
  readonly id: string;
  /** Undefined if the directory has none. */
  readonly name: string | undefined;
  readonly now: number;
  readonly difference: number;
}

export const changesByProgram = (rows: readonly ResultRow[]): readonly ProgramChange[] =>
  rows
    .map(({ program_id: id, program_name: name, earnings, former_earnings: former }) => ({
      id: String(id),
      name: typeof name === 'string' ? name : undefined,
      now: Number(earnings),
      difference: Number(earnings) - Number(former),
    }))
    .filter(({ difference }) => Math.abs(difference) >= SMALLEST)
    .sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));

/** Smaller differences would be shown as 0, so they are left out. */
const SMALLEST = 0.005;

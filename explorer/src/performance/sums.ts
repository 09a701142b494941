/** Sums of performance records: measures are added up, and ratios computed from the sums. */

import { measuresOf } from '../../../src/contract/groups/measures.ts';
import { FORMER_PREFIX } from '../../../src/contract/groups/performance-record.ts';
import { ratiosOf } from '../../../src/contract/groups/ratios.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import type { ResultRow } from '../query/api-query.ts';

/** Measures and ratios by name. A ratio is null if there is nothing to divide by. */
export type Sums = Readonly<Record<string, number | null>>;

/** `prefix` selects the numbers of the former period. */
export function sumsOf(
  rows: readonly ResultRow[],
  role: Role,
  prefix: '' | typeof FORMER_PREFIX = '',
): Sums {
  const sum = (name: string) => rows.reduce((all, row) => all + Number(row[prefix + name] ?? 0), 0);
  const sumOfAll = (names: readonly string[]) => names.reduce((all, name) => all + sum(name), 0);
  const measures = measuresOf(role).map(({ name }) => [name, sum(name)] as const);
  const ratios = ratiosOf(role).map(({ name, numerator, denominator }) => {
    const divisor = sumOfAll(denominator);
    return [name, divisor === 0 ? null : sumOfAll(numerator) / divisor] as const;
  });
  return Object.fromEntries([...measures, ...ratios]);
}

/** Whether there were no transactions. */
export const isEmpty = (sums: Sums): boolean => Object.values(sums).every((value) => !value);

export interface ComparedSums {
  readonly now: Sums;
  readonly former: Sums;
  /** The time of day at which `now` and `former` end, as `HH:00`; undefined if they are not cut. */
  readonly until: string | undefined;
}

/** Length of `YYYY-MM-DD `. */
const DATE = 11;

/** Adds up the hours before `hour`, the present hour as `YYYY-MM-DD HH:00`. Without `hour`, adds up all rows. */
export function comparedSums(
  rows: readonly ResultRow[],
  role: Role,
  hour: string | undefined,
): ComparedSums {
  const over = hour === undefined ? rows : rows.filter((row) => String(row.hour) < hour);
  return {
    now: sumsOf(over, role),
    former: sumsOf(over, role, FORMER_PREFIX),
    until: hour?.slice(DATE),
  };
}

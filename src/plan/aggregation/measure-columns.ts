/** SQL expressions of the measures and ratios of performance, over sums by type and status. */

import { type Measure, measuresOf } from '../../contract/groups/measures.ts';
import { FORMER_PREFIX } from '../../contract/groups/performance-record.ts';
import { RATIO_DECIMALS, type Ratio, ratiosOf } from '../../contract/groups/ratios.ts';
import { KINDS } from '../../contract/record/kinds.ts';
import type { Role } from '../../contract/record/records.ts';
import { STATUSES } from '../../contract/record/statuses.ts';
import { literal } from '../sql.ts';
import { sumAlias } from './summed-columns.ts';

/** The alias of the number of rows of one type and status. */
export const ROWS_COUNTED = 'rows_counted';

/** The column that is 1 in sums of the former period, and 0 in sums of the present one. */
export const IS_FORMER_COLUMN = 'is_former';

/** The prefix of one period's columns, and the condition for its sums. A comparison has two periods. */
export interface PeriodColumns {
  /** The prefix of the columns' names. */
  readonly prefix: string;
  readonly condition?: string;
}

export const ONLY_PERIOD: readonly PeriodColumns[] = [{ prefix: '' }];

export const BOTH_PERIODS: readonly PeriodColumns[] = [
  { prefix: '', condition: `${IS_FORMER_COLUMN} = 0` },
  { prefix: FORMER_PREFIX, condition: `${IS_FORMER_COLUMN} = 1` },
];

/** The measures of a role, each with its alias. */
export const measureColumns = (
  role: Role,
  { prefix, condition }: PeriodColumns,
): readonly string[] =>
  measuresOf(role).map((measure) => `${measureOf(measure, condition)} AS ${prefix}${measure.name}`);

function measureOf({ sums, kinds, statuses }: Measure, condition: string | undefined): string {
  const summed = sums === undefined ? ROWS_COUNTED : sumAlias(sums);
  const conditions = [
    ...(condition === undefined ? [] : [condition]),
    ...(kinds.length === KINDS.length ? [] : [`type IN (${kinds.map(literal).join(', ')})`]),
    ...(statuses.length === STATUSES.length ? [] : [`status IN (${statuses.join(', ')})`]),
  ];
  return conditions.length === 0
    ? `sum(${summed})`
    : `sumIf(${summed}, ${conditions.join(' AND ')})`;
}

/** The ratios of a role, each with its alias, over the measures' aliases. */
export const ratioColumns = (role: Role, { prefix }: PeriodColumns): readonly string[] =>
  ratiosOf(role).map((ratio) => `${ratioOf(ratio, prefix)} AS ${prefix}${ratio.name}`);

/**
 * The SQL of a ratio, rounded exactly. The quotient is truncated to one decimal place more, and this digit decides
 * how to round. The engine divides even where the ratio is NULL, so the divisor is at least 1.
 */
function ratioOf({ numerator, denominator }: Ratio, prefix: string): string {
  const sumOf = (names: readonly string[]) => names.map((name) => prefix + name).join(' + ');
  const divided = `toDecimal256(${sumOf(numerator)}, 6)`;
  const divisor = sumOf(denominator);
  const quotient = `divideDecimal(${divided}, toDecimal256(greatest(${divisor}, 1), 0), ${RATIO_DECIMALS + 1})`;
  return `if(${divisor} = 0, NULL, round(${quotient}, ${RATIO_DECIMALS}))`;
}

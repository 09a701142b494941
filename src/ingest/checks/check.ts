/** A check of one column of a row: a reason, and the SQL condition of rows that fail it. */

import type { Kind } from '../../contract/record/kinds.ts';
import type { KeptFrom } from '../../contract/record/retention.ts';
import type { Reason } from './reasons.ts';

/** A reason to refuse a value, and the SQL condition under which it applies. */
export interface ValueCheck {
  readonly reason: Reason;
  readonly condition: string;
}

/** A check of a named column. */
export interface Check extends ValueCheck {
  readonly column: string;
}

export interface CheckOptions {
  readonly timeZone: string;
  /** The type of all rows, if the command names it. */
  readonly type: Kind | undefined;
  /** Whether decimals after the sixth are rounded, and fractions of a second cut off, instead of refused. */
  readonly round: boolean;
  /** The first month that is kept, by type of transaction; without one, all months are kept. */
  readonly keptFrom?: KeptFrom | undefined;
}

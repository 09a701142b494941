/** What a check of a row is. */

import type { Kind } from '../../contract/record/kinds.ts';
import type { Reason } from './reasons.ts';

/** A fault of a value, and the condition (SQL) under which a row has it. */
export interface ValueCheck {
  readonly reason: Reason;
  readonly condition: string;
}

/** A fault of a column. */
export interface Check extends ValueCheck {
  readonly column: string;
}

export interface CheckOptions {
  readonly timeZone: string;
  /** The type that all rows must have. */
  readonly type: Kind | undefined;
  /** Whether decimals beyond the sixth are rounded instead of refused. */
  readonly round: boolean;
}

/** The circumstances of one transaction, from which its fields are made. */

import type { Kind } from '../../contract/record/kinds.ts';
import type { AdminTransaction } from '../../contract/record/rows.ts';
import type { Program } from '../platform/programs.ts';
import type { Support, Website } from '../platform/websites.ts';

/** One line of the demonstration's file: all stored fields, and the kind. */
export type DemoTransaction = { readonly type: Kind } & Omit<AdminTransaction, 'status_label'>;

export interface Occasion {
  /** The place in the year's sequence of transactions. */
  readonly number: number;
  readonly kind: Kind;
  /** Seconds on the wall clock. */
  readonly moment: number;
  readonly program: Program;
  readonly website: Website;
  readonly support: Support;
}

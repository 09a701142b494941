/** A tracking event, from which the fields of one transaction are derived. */

import type { Kind } from '../../contract/record/kinds.ts';
import type { AdminTransaction } from '../../contract/record/rows.ts';
import type { Program } from '../platform/programs.ts';
import type { Support, Website } from '../platform/websites.ts';

/** One row of the demo file: the type and all stored fields. */
export type DemoTransaction = { readonly type: Kind } & Omit<AdminTransaction, 'status_label'>;

export interface TrackingEvent {
  /** The sequence number in the year. */
  readonly number: number;
  readonly kind: Kind;
  /** Local time in seconds (wall-clock.ts). */
  readonly moment: number;
  readonly program: Program;
  readonly website: Website;
  readonly support: Support;
}

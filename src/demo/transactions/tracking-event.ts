/** A tracking event, from which the fields of one transaction are derived. */

import type { Kind } from '../../contract/record/kinds.ts';
import type { AdminTransaction } from '../../contract/record/rows.ts';
import type { Program } from '../platform/programs.ts';
import type { Support, Website } from '../platform/websites.ts';

/** One row of the demo file: the type and all stored fields. */
export type DemoTransaction = { readonly type: Kind } & Omit<AdminTransaction, 'status_label'>;

/** The place of an advertisement, and the program that it is for. */
export interface Placement {
  readonly program: Program;
  readonly website: Website;
  readonly support: Support;
}

/** One visitor's click. It has a row of its own, and may lead to a lead or a sale. */
export interface Visit {
  /** Local time in seconds (wall-clock.ts). */
  readonly clickedAt: number;
  /** The fields that the click and its lead or sale have in common. */
  readonly fields: Pick<
    DemoTransaction,
    | 'ip_address'
    | 'clickid'
    | 'subid'
    | 'country'
    | 'device_type'
    | 'device_os'
    | 'browser'
    | 'referer'
  >;
}

export interface TrackingEvent extends Placement {
  /** The sequence number in the period. */
  readonly number: number;
  readonly kind: Kind;
  /** Local time in seconds (wall-clock.ts). */
  readonly moment: number;
  /** Null for a row that counts the events of an hour. */
  readonly visit: Visit | null;
}

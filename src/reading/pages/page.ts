/** One page of a list, and the position where the next page starts. */

import type { KeysetPosition } from '../../plan/keyset-position.ts';

export interface Page {
  /** The rendered records. */
  readonly bytes: Buffer;
  /** How many free bytes of memory follow the records. */
  readonly room?: number;
  /** Lets another page use the memory of the records, or frees it. They must have been sent or copied. */
  readonly release?: () => void;
  /** The position of the last record; undefined if the page is empty. */
  readonly last: KeysetPosition | undefined;
  /** The number of records. */
  readonly rows: number;
  /** Whether more records follow. */
  readonly isFollowed: boolean;
}

/** Where a page begins and ends and how many records it has, without the records. */
export interface PageBounds extends Omit<Page, 'bytes' | 'room' | 'release'> {
  /** The position of the record before the page, if an offset skips records of a sorted list. */
  readonly before?: KeysetPosition | undefined;
}

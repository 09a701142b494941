/** A keyset position: the sort key of the last record that was read. */
export interface KeysetPosition {
  /** The record's date by which the report is sorted, in seconds since 1970 (UTC). */
  readonly at: number;
  readonly transactionId: number;
  /** The value by which a sorted list is sorted, as bytes in Latin-1; null if the record has none. */
  readonly value?: string | null;
}

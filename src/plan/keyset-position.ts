/** A keyset position: the sort key of the last record that was read. */
export interface KeysetPosition {
  /** The record's date by which the report is sorted, in seconds since 1970 (UTC). */
  readonly at: number;
  readonly transactionId: number;
}

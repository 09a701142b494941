/** A place in a report: right after one record, in the order of the records. */
export interface KeysetPosition {
  /** The record's date, of those that it has the one that the report is about, in seconds since 1970 (UTC). */
  readonly at: number;
  readonly transactionId: number;
}

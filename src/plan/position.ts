/** A place in a report: right after one record, in the order of the records. */
export interface Position {
  /** The record's `created_at`, in seconds since 1970 (UTC). */
  readonly createdAt: number;
  readonly transactionId: number;
}

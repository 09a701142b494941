/** A line of the table: what was measured, and how it compares. */
export interface Line {
  readonly what: string;
  readonly measured: string;
  readonly against?: string;
  /** How much faster the service is than what it is held against. */
  readonly ratio?: number;
}

/** A line of the result table: a measurement and its comparison. */
export interface Line {
  readonly what: string;
  readonly measured: string;
  readonly against?: string;
  /** How many times faster the service is than its peer. */
  readonly ratio?: number;
}

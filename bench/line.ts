/** A line of the result table: a measurement and its comparison. */
export interface Line {
  readonly what: string;
  readonly measured: string;
  readonly against?: string;
  /** How many times as fast `measured` is as `against`. */
  readonly ratio?: number;
}

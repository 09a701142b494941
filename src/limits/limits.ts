/** What one principal may ask for: requests in a minute, and downloads at once. */

/** How much of a limit is left to a principal. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until all of it is there again; absent where time does not give it back. */
  readonly resetSeconds?: number;
}

export interface RequestLimit {
  readonly limit: number;
  /** Counts one request; it is one too many where `isWithin` is false. */
  count(principalId: string): Promise<Allowance & { readonly isWithin: boolean }>;
  left(principalId: string): Promise<Allowance>;
}

/** The place of a running download. */
export interface Place {
  /** Places that are left beside it. */
  readonly remaining: number;
  /** Gives it back; to do so twice does nothing. */
  free(): void;
}

export interface DownloadLimit {
  readonly limit: number;
  /** Takes one place; undefined where all are taken. */
  begin(principalId: string): Promise<Place | undefined>;
  left(principalId: string): Promise<Allowance>;
}

/** A limit that is absent is off. */
export interface Limits {
  readonly requests?: RequestLimit;
  readonly downloads?: DownloadLimit;
}

/** The seconds in which requests are counted. */
export const WINDOW = 60;

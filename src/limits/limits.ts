/** Limits per principal: requests per minute and concurrent downloads. */

/** What remains of a limit for a principal. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the limit is reset; absent for downloads, which have no window of time. */
  readonly resetSeconds?: number;
}

export interface RequestLimit {
  readonly limit: number;
  /** Counts one request; `isWithin` is false if it exceeds the limit. */
  count(principalId: string): Promise<Allowance & { readonly isWithin: boolean }>;
  remaining(principalId: string): Promise<Allowance>;
}

/** Permits one running download. */
export interface DownloadSlot {
  /** Slots that remain for this principal. */
  readonly remaining: number;
  /** Has no effect the second time. */
  release(): void;
}

export interface DownloadLimit {
  readonly limit: number;
  /** Undefined if all slots of the principal are taken. */
  acquire(principalId: string): Promise<DownloadSlot | undefined>;
  remaining(principalId: string): Promise<Allowance>;
}

/** An absent limit is off. */
export interface Limits {
  readonly requests?: RequestLimit;
  readonly downloads?: DownloadLimit;
}

/** Seconds of the window in which requests are counted. */
export const WINDOW_SECONDS = 60;

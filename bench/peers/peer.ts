/** Benchmark peer: another program that sends the same rows. */
export interface Peer {
  readonly name: string;
  /** The URL of all sales. */
  readonly bulkUrl: string;
  /** The URL of a small request, if the peer supports one. */
  readonly pageUrl?: (page: Page) => string;
  stop(): Promise<void>;
}

/** A small request for some days. An affiliate reads one website, an administrator one program or everything. */
export interface Page {
  readonly of: 'website' | 'program' | 'everything';
  readonly id: number;
  readonly first: string;
  readonly last: string;
  /** The maximum number of records. */
  readonly limit?: number | undefined;
  /** All fields if undefined. */
  readonly fields?: readonly string[] | undefined;
}

/** The peer is not installed on this machine. */
export class NotInstalled extends Error {}

/** Something that gives the same answer in another way, to measure the service against. */
export interface Peer {
  readonly name: string;
  /** Where it answers with all sales. */
  readonly bulkUrl: string;
  /** Where it answers with some days of one website, if it does. */
  readonly pageUrl?: (website: number, first: string, last: string) => string;
  stop(): Promise<void>;
}

/** A peer that is not on this machine. */
export class NotInstalled extends Error {}

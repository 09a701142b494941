/** Something that gives the same answer in another way, to measure the service against. */
export interface Peer {
  readonly name: string;
  /** Where it answers with all sales. */
  readonly bulkUrl: string;
  /** Where it answers a small question, if it does. */
  readonly pageUrl?: (page: Page) => string;
  stop(): Promise<void>;
}

/** A small question: some days of one website or, for an administrator, of one program. */
export interface Page {
  readonly of: 'website' | 'program';
  readonly id: number;
  readonly first: string;
  readonly last: string;
  /** The most records. */
  readonly limit?: number | undefined;
}

/** A peer that is not on this machine. */
export class NotInstalled extends Error {}

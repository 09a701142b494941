/** The order in which imports became visible, as far as all readers may know it. */

import type { Reader } from '../../engine/engine.ts';
import {
  type FeedHead,
  headStatement,
  type PublishedBatch,
  publicationsStatement,
} from '../../plan/changes/change-statements.ts';
import { INTENT_TIMEOUT } from '../../schema/change-tables.ts';
import { VersionMemo } from '../version-memo.ts';

export class PublicationLog {
  readonly #reader: Reader;
  readonly #head: VersionMemo<FeedHead>;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#head = new VersionMemo(reader);
  }

  /** Read once for each version of the data; on servers it may be a second old. */
  async head(): Promise<FeedHead> {
    return await this.#head.get('', async () => {
      const [head] = await this.#reader.rows(headStatement(INTENT_TIMEOUT));
      return head ?? { origin: 0, newest: 0, restarted: 0 };
    });
  }

  /** Published batches after a number, up to another, in order. Throws if the database lacks the first one. */
  async between(after: number, through: number, limit: number): Promise<readonly PublishedBatch[]> {
    const found = await this.#reader.rows(publicationsStatement(after, through, limit));
    // A replica may lag.
    const isComplete = this.#reader.servers === undefined;
    if (isComplete && found[0]?.number !== after) throw new UnknownPosition();
    return found.filter(({ number, batch }) => number > after && batch > 0);
  }
}

/** The position is of a state of the database that was since replaced, as by a copy of its files. */
export class UnknownPosition extends Error {}

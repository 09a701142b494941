/** The order in which imports became visible, up to the newest one that readers may see. */

import { EngineFailure, isExclusive, type Reader } from '../../engine/engine.ts';
import { changedPublishersStatement } from '../../plan/changes/change-statements.ts';
import {
  type FeedHead,
  headStatement,
  lastNumberStatement,
  type PublishedBatch,
  publicationsStatement,
} from '../../plan/changes/publication-statements.ts';
import { INTENT_TIMEOUT } from '../../schema/change-tables.ts';
import { VersionMemo } from '../version-memo.ts';

/** Cached ranges, each of up to a thousand publications. */
const MAX_RANGES = 100;

export class PublicationLog {
  readonly #reader: Reader;
  readonly #head: VersionMemo<FeedHead>;
  readonly #ranges: VersionMemo<readonly PublishedBatch[]>;
  #running: Promise<FeedHead> | undefined;
  #upcoming: Promise<FeedHead> | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#head = new VersionMemo(() => reader.versions?.all);
    this.#ranges = new VersionMemo(() => reader.versions?.all, MAX_RANGES);
  }

  /** Whether no other process can publish, so that the head is always the newest. */
  get isExact(): boolean {
    return isExclusive(this.#reader);
  }

  /** The head, read once for each version of the data. On ClickHouse servers it may be a second old. */
  async head(): Promise<FeedHead> {
    return await this.#head.get('', async () => await this.#readHead());
  }

  /**
   * The head at the time of the call or later. With an older head, the end of the feed could lack an import
   * that lists already have. Calls share the next statement, so that only one runs at a time.
   */
  async presentHead(): Promise<FeedHead> {
    if (this.isExact) return await this.head();
    this.#upcoming ??= this.#readAfterRunning();
    return await this.#upcoming;
  }

  async #readAfterRunning(): Promise<FeedHead> {
    await this.#running?.catch(() => undefined);
    this.#upcoming = undefined;
    this.#running = this.#head.refresh('', async () => await this.#readHead());
    return await this.#running;
  }

  async #readHead(): Promise<FeedHead> {
    const statement = this.isExact ? headStatement() : headStatement(INTENT_TIMEOUT);
    const [head] = await this.#reader.rows(statement);
    return head ?? { origin: 0, newest: 0, restarted: 0 };
  }

  /** The number of the last publication up to an instant in milliseconds; undefined if there is none. */
  async numberAt(instant: number): Promise<number | undefined> {
    const [found] = await this.#reader.rows(lastNumberStatement(instant * 1000));
    return found?.last;
  }

  /**
   * Published batches with numbers greater than `after` and up to `through`, in order. Without replicas,
   * throws `UnknownPosition` if no publication has the number `after`.
   */
  async between(after: number, through: number, limit: number): Promise<readonly PublishedBatch[]> {
    const found = await this.#published(after, through, limit);
    if (!this.#hasReplicas && found[0]?.number !== after) throw new UnknownPosition();
    return found.filter(({ number, batch }) => number > after && batch > 0);
  }

  get #hasReplicas(): boolean {
    return this.#reader.servers !== undefined;
  }

  /** The publications of a range. Throws a transient failure if the replica that answers lacks the last of them. */
  async #published(
    from: number,
    through: number,
    limit: number,
  ): Promise<readonly PublishedBatch[]> {
    const read = async () => await this.#reader.rows(publicationsStatement(from, through, limit));
    // Many readers ask for the same range: from one import to the next.
    const found = this.isExact
      ? await this.#ranges.get(`${from} ${through} ${limit}`, read)
      : await read();
    const isWhole = found.length === limit || found.at(-1)?.number === through;
    if (this.#hasReplicas && !isWhole) {
      throw new EngineFailure('A replica has not received the newest imports yet.');
    }
    return found;
  }

  /** The publishers with changes after `after` and up to `through`; `all` if they are too many or not known. */
  async publishersBetween(after: number, through: number): Promise<ReadonlySet<number> | 'all'> {
    const found = await this.#published(after, through, MAX_BATCHES);
    const batches = found.filter(({ number }) => number > after).map(({ batch }) => batch);
    if (found.length === MAX_BATCHES || batches.includes(0)) return 'all';
    const rows = await this.#reader.rows(changedPublishersStatement(batches, MAX_PUBLISHERS));
    const publishers = new Set(rows.map(({ publisher }) => publisher));
    return rows.length === MAX_PUBLISHERS || publishers.has(0) ? 'all' : publishers;
  }
}

/** Whether changes after a position are missing, or the position belongs to another database. */
export const isExpired = (
  { origin, number }: { readonly origin: number; readonly number: number },
  head: FeedHead,
): boolean => origin !== head.origin || number < head.restarted;

/** With so many batches or publishers, all waiting readers are woken, because choosing among them costs more. */
const MAX_BATCHES = 100;
const MAX_PUBLISHERS = 100_000;

/** The position belongs to a state of the database that no longer exists, such as before its files were replaced. */
export class UnknownPosition extends Error {}

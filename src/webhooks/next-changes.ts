/** Reads the changes of the next message of a webhook, and writes them as its body. */

import type { Semaphore } from '../concurrency/semaphore.ts';
import type { Reader } from '../engine/engine.ts';
import type { ChangePlan } from '../plan/changes/change-plan.ts';
import { type Change, type FeedPosition, readChangePage } from '../reading/changes/change-page.ts';
import {
  isExpired,
  type PublicationLog,
  UnknownPosition,
} from '../reading/changes/publication-log.ts';
import { changesMessageBody, timeOf } from './sending/message-body.ts';
import { truncatedPage } from './truncated-page.ts';
import type { OriginPosition } from './webhook.ts';

/** The maximum size of a message's records, in bytes. A single change may be larger. */
const MAX_BYTES = 1_000_000;

export interface NextChangesDeps {
  readonly reader: Reader;
  readonly publications: PublicationLog;
  /** Limits how many pages are read at the same time. */
  readonly readers: Semaphore;
}

/** Does not refer to the page that was read, so that the memory of the page is freed while the message is sent. */
interface ChangesMessage {
  readonly body: Buffer;
  /** When the import of the first change began, in milliseconds. */
  readonly oldestAt: number;
}

/** The changes between two positions. */
export interface NextChanges {
  /** Undefined at the present end of the feed. */
  readonly message: ChangesMessage | undefined;
  readonly from: OriginPosition;
  readonly next: OriginPosition;
}

/** Undefined if changes after the position are missing. */
export async function readNextChanges(
  plan: ChangePlan,
  position: OriginPosition,
  { publications, reader, readers }: NextChangesDeps,
  signal: AbortSignal,
): Promise<NextChanges | undefined> {
  if (isExpired(position, await publications.head())) return undefined;
  const { origin } = position;
  await readers.acquire({ signal });
  try {
    const page = await readChangePage(plan, position, { reader, publications }, signal);
    // The changes may have been removed while they were read.
    if (isExpired(position, await publications.head())) return undefined;
    const { changes, from, next } = truncatedPage(page, MAX_BYTES);
    const message = messageOf(changes);
    return { message, from: positionAt(origin, from), next: positionAt(origin, next) };
  } catch (error) {
    if (error instanceof UnknownPosition) return undefined;
    throw error;
  } finally {
    readers.release();
  }
}

const messageOf = (changes: readonly Change[]): ChangesMessage | undefined =>
  changes.length === 0
    ? undefined
    : { body: changesMessageBody(changes), oldestAt: timeOf(changes[0]).getTime() };

/** The position to store. Its key leaves out other members of the change, such as the record. */
function positionAt(origin: number, { number, partial }: FeedPosition): OriginPosition {
  if (partial === undefined) return { origin, number };
  const { batch, publisherId, transactionId } = partial.key;
  return { origin, number, partial: { ...partial, key: { batch, publisherId, transactionId } } };
}

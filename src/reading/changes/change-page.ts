/** Reads a page of the change feed: the keys of changes, and the present records of their transactions. */

import type { Reader } from '../../engine/engine.ts';
import { framedRows } from '../../engine/framing.ts';
import { readWhole } from '../../engine/read-whole.ts';
import type { ChangePlan } from '../../plan/changes/change-plan.ts';
import {
  type ChangeKey,
  type ChangeRange,
  changedRecordsStatement,
  changeKeysIn,
  changeKeysStatement,
  type TypedChangeKey,
} from '../../plan/changes/change-statements.ts';
import type { PublishedBatch } from '../../plan/changes/publication-statements.ts';
import { RetryPolicy } from '../retry.ts';
import type { PublicationLog } from './publication-log.ts';

/** How far a reader has followed the feed. */
export interface FeedPosition {
  /** All changes of publications up to this number were read. */
  readonly number: number;
  /** Of the later publications up to `through`, the changes up to `key` were read. */
  readonly partial?: { readonly through: number; readonly key: ChangeKey } | undefined;
}

/** A change, and the present record of its transaction if the principal sees one. */
export interface Change extends TypedChangeKey {
  readonly record: Buffer | undefined;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  /**
   * The position before the first change. If the page is read from here again, it ends with the same change,
   * even if more was published since.
   */
  readonly from: FeedPosition;
  readonly next: FeedPosition;
}

export interface ChangeDeps {
  readonly reader: Reader;
  readonly publications: PublicationLog;
}

/** The most publications that one statement reads. */
const PUBLICATIONS_AT_A_TIME = 1000;

/** Sorts before the keys of all changes. */
const FIRST_KEY: ChangeKey = { batch: 0, publisherId: 0, transactionId: 0 };

/** A page without changes means that the reader is at the present end of the feed. */
export async function readChangePage(
  plan: ChangePlan,
  from: FeedPosition,
  deps: ChangeDeps,
  signal: AbortSignal,
): Promise<ChangePage> {
  const retry = new RetryPolicy(signal);
  const { newest } = await retry.run(() => deps.publications.head());
  let position = from;
  for (;;) {
    const until = position.partial?.through ?? newest;
    if (until <= position.number) return { changes: [], from: position, next: position };
    const { number } = position;
    const published = inOrder(
      await retry.run(() => deps.publications.between(number, until, PUBLICATIONS_AT_A_TIME)),
    );
    const through = published.at(-1)?.number ?? until;
    const page = await retry.run(() => readRange(plan, position, published, through, deps, signal));
    if (page.changes.length > 0) return page;
    position = page.next;
  }
}

/** The first publications, as long as their batch numbers increase, because a statement sorts changes by batch. */
function inOrder(published: readonly PublishedBatch[]): readonly PublishedBatch[] {
  const end = published.findIndex(({ batch }, at) => batch <= (published[at - 1]?.batch ?? 0));
  return end <= 0 ? published : published.slice(0, end);
}

async function readRange(
  plan: ChangePlan,
  { number, partial }: FeedPosition,
  published: readonly PublishedBatch[],
  through: number,
  { reader }: ChangeDeps,
  signal: AbortSignal,
): Promise<ChangePage> {
  const end = { number: through };
  const from = { number, partial: { through, key: partial?.key ?? FIRST_KEY } };
  const range = { batches: published.map(({ batch }) => batch), after: partial?.key };
  if (range.batches.length === 0) return { changes: [], from, next: end };
  const found = await readKeys(plan, { ...range, through: undefined }, reader, signal);
  const keys = found.slice(0, plan.limit);
  const key = keys.at(-1);
  if (key === undefined) return { changes: [], from, next: end };
  const records = await readRecords(
    ofPublishers(keys, plan),
    { ...range, through: key },
    reader,
    signal,
  );
  const isEnd = found.length <= plan.limit;
  const next = isEnd ? end : { number, partial: { through, key } };
  return { changes: withRecords(keys, records), from, next };
}

async function readKeys(
  plan: ChangePlan,
  range: ChangeRange,
  reader: Reader,
  signal: AbortSignal,
): Promise<readonly TypedChangeKey[]> {
  return [...changeKeysIn(await readWhole(changeKeysStatement(plan, range), reader, signal))];
}

/**
 * Narrows an affiliate's plan to the publishers of the keys, because a statement with thousands of publishers
 * takes longer. An administrator's plan stays as it is: a record can have another publisher than its key.
 */
function ofPublishers(keys: readonly TypedChangeKey[], plan: ChangePlan): ChangePlan {
  if (plan.role === 'admin') return plan;
  return { ...plan, publisherIds: [...new Set(keys.map(({ publisherId }) => publisherId))] };
}

/** The records by transaction id. */
async function readRecords(
  plan: ChangePlan,
  range: ChangeRange,
  reader: Reader,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Buffer>> {
  const bytes = await readWhole(changedRecordsStatement(plan, range), reader, signal);
  const records = new Map<number, Buffer>();
  for (const { transactionId, start, end } of framedRows(bytes))
    records.set(transactionId, bytes.subarray(start, end));
  return records;
}

/** Keeps only the last change of each transaction, and every removal by retention. */
function withRecords(
  keys: readonly TypedChangeKey[],
  records: ReadonlyMap<number, Buffer>,
): readonly Change[] {
  const last = new Map(keys.map((key, at) => [key.keptFrom > 0 ? -1 - at : key.transactionId, at]));
  return [...last.values()]
    .sort((one, other) => one - other)
    .flatMap((at) => {
      const key = keys[at];
      return key === undefined ? [] : [{ ...key, record: recordOf(key, records) }];
    });
}

const recordOf = (
  { keptFrom, transactionId }: TypedChangeKey,
  records: ReadonlyMap<number, Buffer>,
) => (keptFrom > 0 ? undefined : records.get(transactionId));

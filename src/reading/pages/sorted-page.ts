/** Reads one page of a sorted list: the keys of its records first, then the records by their keys. */

import { EngineFailure } from '../../engine/engine.ts';
import { framedRows } from '../../engine/framing.ts';
import { readWhole } from '../../engine/read-whole.ts';
import type { ListPlan } from '../../plan/list-plan.ts';
import {
  keyedRecordsStatement,
  type SortedKey,
  sortedKeyOf,
  sortedKeysStatement,
} from '../../plan/sorting/sorted-keys.ts';
import type { PositionDeps } from '../last-record.ts';
import { RowsRemoved, retentionCheck } from '../retention-check.ts';
import { RetryPolicy } from '../retry.ts';
import type { Page, PageBounds } from './page.ts';

/** The keys of a page, and whether more records follow. */
interface SortedKeys {
  readonly keys: readonly SortedKey[];
  readonly isFollowed: boolean;
}

/** Keys and records are read by different statements, and some records stopped matching in between. */
class RecordsChanged extends EngineFailure {
  constructor() {
    super('Records changed while their page was read.');
  }
}

/** Reads a page. If some records changed between its statements, it is read again, so that none is missing. */
export async function readSortedPage(
  plan: ListPlan,
  limit: number,
  deps: PositionDeps,
  signal: AbortSignal,
): Promise<Page> {
  const retry = new RetryPolicy(signal);
  const isKept = retentionCheck(deps);
  const refuseRemoved = async () => {
    if (!(await retry.run(() => isKept(plan)))) throw new RowsRemoved();
  };
  await refuseRemoved();
  const page = await retry.run(() => readOnce(plan, limit, deps, signal));
  await refuseRemoved();
  return page;
}

async function readOnce(
  plan: ListPlan,
  limit: number,
  deps: PositionDeps,
  signal: AbortSignal,
): Promise<Page> {
  const { keys, isFollowed } = await readKeys(plan, limit, deps, signal);
  const texts = keys.length === 0 ? [] : await readRecords(plan, keys, deps, signal);
  if (texts.length < keys.length) throw new RecordsChanged();
  return { bytes: Buffer.concat(texts), last: keys.at(-1), rows: texts.length, isFollowed };
}

/** Like `readSortedPage` without the records, but with the position of the record before the page. */
export async function readSortedPageEnd(
  { offset = 0, ...plan }: ListPlan,
  limit: number,
  deps: PositionDeps,
  signal: AbortSignal,
): Promise<PageBounds> {
  const skipped = Math.min(offset, 1);
  const from = offset - skipped;
  const wider = from === 0 ? plan : { ...plan, offset: from };
  const retry = new RetryPolicy(signal);
  const { keys, isFollowed } = await retry.run(() =>
    readKeys(wider, limit + skipped, deps, signal),
  );
  const own = keys.slice(skipped);
  return {
    before: skipped === 0 ? undefined : keys[0],
    last: own.at(-1),
    rows: own.length,
    isFollowed,
  };
}

async function readKeys(
  plan: ListPlan,
  limit: number,
  { reader }: PositionDeps,
  signal: AbortSignal,
): Promise<SortedKeys> {
  // Reads one key more than the page holds: if it exists, another page follows.
  const statement = sortedKeysStatement({ ...plan, limit: limit + 1 });
  const bytes = await readWhole(statement, reader, signal);
  const found = [...framedRows(bytes)].map((row) =>
    sortedKeyOf(row, bytes.subarray(row.start, row.end)),
  );
  return { keys: found.slice(0, limit), isFollowed: found.length > limit };
}

/** The most keys of one statement. Servers limit parameters in the URL: 128 kB each, and a megabyte in total. */
const KEYS_AT_A_TIME = 2000;

/** The texts of the records in the order of their keys. */
async function readRecords(
  plan: ListPlan,
  keys: readonly SortedKey[],
  deps: PositionDeps,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const texts: Buffer[] = [];
  for (let from = 0; from < keys.length; from += KEYS_AT_A_TIME) {
    const some = keys.slice(from, from + KEYS_AT_A_TIME);
    texts.push(...(await readSomeRecords(plan, some, deps, signal)));
  }
  return texts;
}

async function readSomeRecords(
  plan: ListPlan,
  keys: readonly SortedKey[],
  { reader, timeZone }: PositionDeps,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const statement = keyedRecordsStatement(plan, keys, timeZone);
  const bytes = await readWhole(statement, reader, signal);
  const records = new Map(
    [...framedRows(bytes)].map(({ transactionId, start, end }) => [
      transactionId,
      bytes.subarray(start, end),
    ]),
  );
  return keys.flatMap(({ transactionId }) => records.get(transactionId) ?? []);
}

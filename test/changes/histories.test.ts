import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainStatement } from '../../src/plan/sql.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fc } from '../support/run/properties.ts';
import { fullOrShort, SEED } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';
import { type CopyDifference, Follower } from './follower.ts';
import { History, historyPlan, modeOf } from './history.ts';
import { HistoryReader, type ReaderPlan, readerPlan } from './history-reader.ts';

/** The number of histories. The environment variable `HISTORIES` sets another one. */
const HISTORIES = Number(process.env.HISTORIES ?? fullOrShort(1000, 4));
/** The maximum number of histories whose rows share imports. */
const AT_A_TIME = 500;
const STEPS = fullOrShort(6, 3);

/** The timeout in milliseconds, because a reader that never reaches the end of the feed must not block the run. */
const LIMIT = 600_000 + 1000 * HISTORIES;

/**
 * The number of histories that one reader follows. Most histories share a reader, because a request costs more
 * than its rows. Every second reader follows a single one, so that some read to the end in pages of a few rows.
 */
const SINGLE = 1;
const MANY = fullOrShort(19, 3);

/** The number of readers that read at the same time. */
const READERS = 4;

const IMPORTERS = 6;
const ROUNDS = 20;

const MERGED = ['transactions', 'affiliate_transactions', 'changes', 'publications'];

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = await startService({ settings: { memoryCache: 0 } });
  admin = await service.token({ role: 'admin' });
});

afterAll(async () => await service.close());

const sumOf = (differences: readonly CopyDifference[]) => ({
  compared: differences.reduce((sum, { compared }) => sum + compared, 0),
  missing: differences.flatMap(({ missing }) => missing),
  stale: differences.flatMap(({ stale }) => stale),
});

/** Does the work for each item, for a few at the same time. */
async function eachOf<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: READERS }, worker));
  return results;
}

async function changeAll(histories: readonly History[], step: number): Promise<void> {
  const rows = histories.flatMap((history) => history.rowsAt(step));
  if (rows.length > 0) await service.importText(ndjson(rows));
  const values = histories.flatMap((history) => history.erasedAt(step)).map(String);
  const selectors = [{ field: 'transaction_id' as const, values }];
  if (values.length > 0) await service.operator.erase({ selectors, mode: modeOf(step) });
}

/** Runs some histories to their ends. Returns what the comparisons of their readers found. */
async function runHistories(
  histories: readonly History[],
  readers: readonly HistoryReader[],
): Promise<readonly CopyDifference[]> {
  const found: CopyDifference[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    await Promise.all([
      changeAll(histories, step),
      eachOf(readers, async (reader) => await reader.read(step, service, admin)),
    ]);
    const merged = MERGED[step % MERGED.length];
    await service.database.engine.execute(plainStatement(`OPTIMIZE TABLE ${merged} FINAL`));
    const ends = await eachOf(readers, async (reader) => await reader.compare(step));
    found.push(...ends.filter((end) => end !== undefined));
  }
  return found;
}

/** Readers of one history and of many histories, in turn. */
function readersOf(histories: readonly History[], plans: readonly ReaderPlan[]) {
  const readers: HistoryReader[] = [];
  let at = 0;
  for (const plan of plans) {
    if (at >= histories.length) break;
    const count = readers.length % 2 === 0 ? SINGLE : MANY;
    readers.push(new HistoryReader(plan, histories.slice(at, at + count)));
    at += count;
  }
  return readers;
}

test('in random histories, a copy at the end of the feed has no missing and no stale row', {
  timeout: LIMIT,
}, async () => {
  const sample = { numRuns: HISTORIES, seed: SEED };
  const readerPlans = fc.sample(readerPlan(STEPS), sample);
  const plans = fc.sample(historyPlan(STEPS), sample);
  const histories = plans.map((plan, number) => new History(plan, number + 1));
  let sum: CopyDifference = { compared: 0, missing: [], stale: [] };
  let [readers, ends] = [0, 0];
  for (let at = 0; at < HISTORIES; at += AT_A_TIME) {
    const some = histories.slice(at, at + AT_A_TIME);
    const following = readersOf(some, readerPlans.slice(at));
    const found = await runHistories(some, following);
    readers += following.length;
    ends += found.length;
    sum = sumOf([sum, ...found]);
    console.log(
      `seed ${SEED}, ${at + some.length} histories: ${ends} ends, ${JSON.stringify(sum)}`,
    );
  }
  expect(sum).toEqual({ compared: expect.any(Number), missing: [], stale: [] });
  // Each reader compares after the last step, and most also after earlier steps.
  expect(ends).toBeGreaterThanOrEqual(readers);
  expect(sum.compared).toBeGreaterThan(HISTORIES);
});

/** Three of ten rows are late: their `updated_at` is before that of rows which readers may have seen already. */
const importedRow = (importer: number, round: number, at: number) => {
  const isLate = (at + round + importer) % 10 < 3;
  const id = 1 + ((at * 7 + round * 3) % 12);
  return fileRow({
    transaction_id: 900_000_000 + 100 * importer + id,
    publisher_id: 900_000_000,
    program_id: 900_000_000 + ((at + round) % 2),
    status: at % 2 === 0 ? 2 : 0,
    updated_at: isLate ? '2026-04-01 10:00:00' : `2026-05-01 10:${10 + round}:0${at}`,
  });
};

// Only in the full run. In `npm test`, concurrent-imports.test.ts has followers during imports.
testInFull(
  'with six importers and changes of earlier dates that arrive late, a copy lacks no row and has no stale one',
  async () => {
    const filter = '&program_id=900000000&publisher_id=900000000';
    const sales = { role: 'admin', token: admin, types: ['sales'] } as const;
    const followers = [
      await Follower.begin(service, { ...sales, filter: '&publisher_id=900000000' }),
      await Follower.begin(service, { ...sales, filter }),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      const importers = Array.from({ length: IMPORTERS }, async (_, importer) => {
        await delay(100 * importer);
        const rows = Array.from({ length: 10 }, (_, at) => importedRow(importer, round, at));
        await service.importText(ndjson(rows));
      });
      const pages = followers.map(async (follower) => {
        for (let page = 0; page < 10; page += 1) await follower.readPage(3);
      });
      await Promise.all([...importers, ...pages]);
      for (const follower of followers) {
        const { missing, stale } = await follower.compareAtEnd(5);
        expect({ missing, stale }).toEqual({ missing: [], stale: [] });
      }
    }
  },
);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startOfDay } from '../../../src/contract/query/calendar.ts';
import { Random } from '../../../src/demo/random/random.ts';
import { ClickHouseEngine } from '../../../src/engine/clickhouse/clickhouse-engine.ts';
import { EngineFailure } from '../../../src/engine/engine.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { migrate } from '../../../src/schema/migrations.ts';
import { listText } from '../../support/requests/list-text.ts';
import { planWith } from '../../support/requests/plans.ts';
import { testInFull as test } from '../../support/run/test-in-full.ts';
import { ClickHouseServer } from '../../support/servers/clickhouse-server.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { recordResponse, startReplayServer } from '../../support/servers/replaying-server.ts';

// Only in the full run. In `npm test`, list-stream.test.ts resumes reports, and mid-stream-exception.test.ts cuts
// responses.

const TIME_ZONE = 'Europe/Paris';
const ROWS = 20_000;
const ROUNDS = 8;
const never = new AbortController().signal;

/** Longer than a year, so it is read in slices. */
const PLAN = planWith({
  role: 'admin',
  from: startOfDay('2025-12-01', TIME_ZONE),
  until: startOfDay('2026-12-31', TIME_ZONE, 1),
});

/** A query that fails after many rows. With few rows, the engine would still hold all of them back. */
const FAILING = "SELECT 'row ', toString(throwIf(number = 20000)), ';' FROM numbers(40000)";

let directory: string;
let server: ClickHouseServer;
let direct: ClickHouseEngine;
let proxy: CuttingProxy;
let proxied: ClickHouseEngine;
let whole: string;

const engineAt = (url: string) =>
  new ClickHouseEngine({ hosts: [url], username: 'default', password: '', database: 'default' });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cut-connections-'));
  server = await ClickHouseServer.start(directory);
  direct = engineAt(server.url);
  proxy = await startCuttingProxy(server.url);
  proxied = engineAt(proxy.url);
  await migrate(direct, TIME_ZONE);
  const instant = "toDateTime('2026-01-15 00:00:00', 'UTC') + number * 1400";
  await direct.execute(
    plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
SELECT 'sales', number, 1, 1, 1, 2, ${instant}, ${instant} FROM numbers(${ROWS})`),
  );
  whole = await reportOf(direct);
  expect(whole.split('\n')).toHaveLength(ROWS + 1);
});

afterAll(async () => {
  await direct.close();
  await proxied.close();
  await proxy.close();
  await server.kill();
  await rm(directory, { recursive: true, force: true });
});

const reportOf = async (reader: ClickHouseEngine): Promise<string> =>
  await listText(reader, PLAN, TIME_ZONE);

/** The bytes of a read, and its error. */
async function readingOf(engine: ClickHouseEngine): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const block of engine.read(plainStatement(FAILING), never))
      text += Buffer.from(block);
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

test('a response with an exception is never complete, wherever its end is cut', async () => {
  const recording = await recordResponse(
    server.url,
    `${FAILING} SETTINGS max_block_size = 1000 FORMAT RawBLOB`,
  );
  const exception = recording.indexOf('__exception__');
  expect(recording.lastIndexOf('__exception__')).toBeGreaterThan(exception);
  const replaying = await startReplayServer(recording, 'throwIf');
  const engine = engineAt(replaying.url);
  const texts = new Set<string>();
  for (let bytes = exception - 250; bytes <= recording.length; bytes += 1) {
    replaying.sentBytes = bytes;
    const { text, error } = await readingOf(engine);
    expect(error, `after ${bytes} bytes`).toBeInstanceOf(EngineFailure);
    texts.add(text);
  }
  for (const text of texts) expect(text).toMatch(/^(row 0;)+(r(o(w( 0?)?)?)?)?$/);
  const ends = await readingOf(engine);
  expect(ends.error).toMatchObject({ number: 395 });
  await engine.close();
  replaying.close();
});

test('a response that is cut before its first row is a failure', async () => {
  const recording = await recordResponse(server.url, `${FAILING} FORMAT RawBLOB`);
  const replaying = await startReplayServer(recording, 'throwIf');
  const engine = engineAt(replaying.url);
  const body = recording.indexOf('\r\n\r\n') + 4;
  for (let bytes = 0; bytes < body + 20; bytes += 9) {
    replaying.sentBytes = bytes;
    const { text, error } = await readingOf(engine);
    expect(text).toBe('');
    expect(error, `after ${bytes} bytes`).toBeInstanceOf(EngineFailure);
  }
  await engine.close();
  replaying.close();
});

test.each([
  ['before the first byte', [0, 0, 0]],
  ['in the headers', [1, 100, 500]],
  ['at the first rows', [900, 1200, 1500, 2000]],
  ['after megabytes', [1_500_000, 1_100_000, 2_400_000, 3_000_000]],
  ['at many places', [0, 1_200_000, 800, 2_000_000, 1_048_576, 1]],
])('a report is the same when its connections are cut %s', async (_, cuts) => {
  const before = proxy.cuts;
  proxy.cutNext(cuts);
  expect(await reportOf(proxied)).toBe(whole);
  expect(proxy.cuts - before).toBeGreaterThan(1);
  proxy.stopCutting();
});

test('a report is the same when its connections are cut at random', async () => {
  const random = new Random(7);
  for (let round = 0; round < ROUNDS; round += 1) {
    const cuts = Array.from({ length: 6 }, () => Math.floor(10 ** random.between(0, 7)));
    proxy.cutNext(cuts);
    expect(await reportOf(proxied), `cut after ${cuts} bytes`).toBe(whole);
    proxy.stopCutting();
  }
  expect(proxy.cuts).toBeGreaterThan(ROUNDS);
});

test('a report is the same however often it is cut, if each attempt makes progress', async () => {
  proxy.cutNext(Array.from({ length: 100 }, () => 1_500_000));
  const before = proxy.cuts;
  expect(await reportOf(proxied)).toBe(whole);
  expect(proxy.cuts - before).toBeGreaterThan(9);
  proxy.stopCutting();
});

test('a report without progress fails', async () => {
  proxy.cutNext([1_500_000, ...Array.from({ length: 100 }, () => 500)]);
  await expect(reportOf(proxied)).rejects.toBeInstanceOf(EngineFailure);
  proxy.stopCutting();
  expect(await reportOf(proxied)).toBe(whole);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { startOfDay } from '../../src/contract/query/calendar.ts';
import { ClickHouseEngine } from '../../src/engine/clickhouse/clickhouse-engine.ts';
import { HELD_BACK } from '../../src/engine/clickhouse/mid-stream-exception.ts';
import type { ListPlan } from '../../src/plan/list-plan.ts';
import { isFramed, listStatement } from '../../src/plan/list-statement.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { migrate } from '../../src/schema/migrations.ts';
import { throwingAt } from '../support/databases/throwing-statement.ts';
import { listText } from '../support/requests/list-text.ts';
import { planWith } from '../support/requests/plans.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { ClickHouseServer } from '../support/servers/clickhouse-server.ts';
import { type RecordingProxy, startRecordingProxy } from '../support/servers/replaying-server.ts';

// Only in the full run. In `npm test`, list-stream.test.ts resumes reports, and mid-stream-exception.test.ts cuts
// responses.

const TIME_ZONE = 'Europe/Paris';
const ROWS = 900;
/** The row at which the engine throws: one block is sent by then, and the next one has some rows. */
const THROWING = 800;
/** Bytes between two cuts. mid-stream-exception.test.ts cuts at every byte. */
const STEP = 29;

/** How many reports are read at a time. */
const AT_ONCE = 8;
const never = new AbortController().signal;

const PLAN = planWith({
  role: 'admin',
  from: startOfDay('2026-01-01', TIME_ZONE),
  until: startOfDay('2026-01-31', TIME_ZONE, 1),
});

/** Whether a request reads a report from its beginning, and does not resume one. */
const isFirst = (request: Buffer): boolean =>
  request.includes('ORDER BY type, created_at') &&
  !request.includes('(created_at, transaction_id) >');

let directory: string;
let server: ClickHouseServer;
let direct: ClickHouseEngine;
let failing: RecordingProxy;
let engine: ClickHouseEngine;

const engineAt = (url: string) =>
  new ClickHouseEngine({ hosts: [url], username: 'default', password: '', database: 'default' });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'exceptions-'));
  server = await ClickHouseServer.start(directory);
  direct = engineAt(server.url);
  failing = await startRecordingProxy(server.url, isFirst);
  engine = engineAt(failing.url);
  await migrate(direct, TIME_ZONE);
  const instant = "toDateTime('2026-01-02 00:00:00', 'UTC') + number * 1000";
  await direct.execute(
    plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, referer, created_at, updated_at)
SELECT 'sales', number, 1, 1, 1, 2, repeat('x', 1500), ${instant}, ${instant} FROM numbers(${ROWS})`),
  );
});

afterAll(async () => {
  await engine.close();
  await direct.close();
  failing.close();
  await server.kill();
  await rm(directory, { recursive: true, force: true });
});

const reportOf = async (plan: ListPlan, reader: ClickHouseEngine): Promise<string> =>
  await listText(reader, plan, TIME_ZONE);

/** The response of a server that throws in the middle of a report. */
async function answerWithException(plan: ListPlan): Promise<Buffer> {
  const statement = throwingAt(THROWING, listStatement(plan));
  const text = `${statement.text}\nSETTINGS max_block_size = 50`;
  const reading = Array.fromAsync(engine.read({ ...statement, text }, never));
  await expect(reading).rejects.toMatchObject({ number: 395 });
  return failing.recording;
}

test.each<[string, Partial<ListPlan>]>([
  ['as they are stored', {}],
  ['in frames', { form: 'csv' }],
])(
  'a report of records %s is the same wherever the exception at the end of a response is cut',
  async (name, particulars) => {
    const plan = { ...PLAN, ...particulars };
    expect(isFramed(plan)).toBe(name === 'in frames');
    const whole = await reportOf(plan, direct);
    expect(whole.match(/2026-01-\d\d/g)?.length).toBeGreaterThanOrEqual(ROWS);
    const answer = await answerWithException(plan);
    const exception = answer.indexOf('__exception__');
    expect(exception).toBeGreaterThan(HELD_BACK);
    const lengths: number[] = [];
    for (let length = answer.length; length > exception - 60; length -= STEP) lengths.push(length);
    const before = failing.replayed;
    for (let at = 0; at < lengths.length; at += AT_ONCE) {
      const some = lengths.slice(at, at + AT_ONCE);
      failing.replay(answer, some);
      const reports = await Promise.all(some.map(async () => await reportOf(plan, engine)));
      for (const report of reports) expect(report === whole, `after ${some} bytes`).toBe(true);
    }
    expect(failing.replayed - before).toBe(lengths.length);
  },
);

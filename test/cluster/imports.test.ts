import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfToken } from '../../src/auth/access-token.ts';
import { blockedSubjects } from '../../src/store/blocked-subjects.ts';
import { findToken } from '../../src/store/token-table.ts';
import { countsOfAll } from '../support/databases/cluster-counts.ts';
import { visibleCounts } from '../support/databases/visible-counts.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';
import { type ClusterService, serveCluster } from '../support/servers/cluster-service.ts';

const ROWS = 500;
const IMPORTS = fullOrShort(4, 2);

/** Milliseconds between two requests of a reader. In `npm test`, the imports need the processor. */
const PAUSE = fullOrShort(0, 300);

let service: ClusterService;
/** The rows of one of the imports, which a later test imports again. */
let imported: readonly FileRow[] = [];
const tokens: Record<string, string> = {};

beforeAll(async () => {
  service = await serveCluster();
  tokens.admin = await service.token({});
  tokens.affiliate = await service.token({ role: 'affiliate', publisherIds: [100, 101] });
});

afterAll(async () => await service.close());

/** One statement reads this period. The first of February begins in January in UTC, so it would need a second one. */
const PERIOD = 'start_date=2026-02-02&end_date=2026-03-31';

/** Sales of two months, and of websites on both shards. */
const sales = (): readonly FileRow[] =>
  Array.from({ length: ROWS }, (_, at) =>
    fileRow({
      publisher_id: 100 + (at % 2),
      created_at: `2026-0${2 + (Math.floor(at / 2) % 2)}-10 12:00:00`,
    }),
  );

const ask = async (role: string, token = tokens[role]) =>
  await fetch(`${service.serving.url}/api/${role}/transactions?type=sales&${PERIOD}`, {
    headers: { authorization: `Bearer ${token}`, prefer: 'count=exact' },
  });

const salesSeen = async (role: string): Promise<number> =>
  ((await (await ask(role)).json()) as unknown[]).length;

interface Answer {
  /** The count in the header. */
  readonly count: number;
  /** How many sales of each month are in the body. */
  readonly february: number;
  readonly march: number;
}

/** Undefined if a busy server refuses the request. */
async function answerOf(role: string): Promise<Answer | undefined> {
  const response = await ask(role);
  const text = await response.text();
  if (response.status === 503) return undefined;
  expect(response.status, text).toBe(200);
  const rows: readonly { readonly created_at: string }[] = JSON.parse(text);
  const march = rows.filter(({ created_at }) => created_at.startsWith('2026-03')).length;
  const count = Number(response.headers.get('x-total-count') ?? Number.NaN);
  return { count, february: rows.length - march, march };
}

test('a reader sees all rows of an import or none while all servers publish it', async () => {
  const answers: Answer[] = [];
  let isImporting = true;
  const read = async (role: string) => {
    while (isImporting) {
      const answer = await answerOf(role);
      if (answer !== undefined) answers.push(answer);
      await delay(PAUSE);
    }
  };
  const roles = ['admin', 'affiliate'];
  const readers = Promise.all(fullOrShort([...roles, ...roles], roles).map(read));
  for (let at = 0; at < IMPORTS; at += 2) {
    // Two processes at a time: each must leave the staging tables of the other alone.
    imported = sales();
    const both = [imported, sales()].map((rows) => service.run(['import', '-'], csv(rows)));
    expect((await Promise.all(both)).map(({ errors }) => errors)).toEqual(['', '']);
  }
  isImporting = false;
  await readers;
  expect(await salesSeen('admin')).toBe(IMPORTS * ROWS);
  expect(await salesSeen('affiliate')).toBe(IMPORTS * ROWS);
  if (IS_FULL) expect(new Set(answers.map(({ count }) => count)).size).toBeGreaterThan(2);
  // Each import has half of its rows in each month, and a quarter on each shard and in each month.
  const isTorn = ({ count, february, march }: Answer) =>
    count % ROWS !== 0 || february % (ROWS / 2) !== 0 || march % (ROWS / 2) !== 0;
  expect(answers.filter(isTorn)).toEqual([]);
  // A list that was paused between the months may have a new import's rows of March, but not of February.
  const resumed = answers.filter(({ february, march }) => february !== march);
  expect(resumed.filter(({ february, march }) => february > march)).toEqual([]);
  expect(resumed.length).toBeLessThanOrEqual(
    await service.metric('transactions_resumptions_total'),
  );
});

// Only in the full run. In `npm test`, ingest/crashes.test.ts imports a file again on the embedded store.
testInFull('the same import again changes nothing on any server', async () => {
  const rows = csv(imported);
  const before = await countsOfAll(service.engine);
  const body = await (await ask('admin')).text();
  expect((await service.importText(rows)).imported).toBe(ROWS);
  expect(await countsOfAll(service.engine)).toEqual(before);
  expect(await (await ask('admin')).text()).toBe(body);
});

// Only in the full run. In `npm test`, the next test makes an import fail.
testInFull('an import with a faulty row changes nothing on any server', async () => {
  const before = await countsOfAll(service.engine);
  const report = await service.importText(csv([...sales(), fileRow({ country: 'zz' })]));
  expect(report).toMatchObject({ imported: 0, rejected: 1, faults: [{ line: ROWS + 2 }] });
  expect(await countsOfAll(service.engine)).toEqual(before);
});

test.each(fullOrShort([0, 3], [3]))(
  'while server %i is down, an import fails with this reason and changes nothing',
  async (server) => {
    const before = await countsOfAll(service.engine);
    const [host = ''] = service.cluster.hosts([server]);
    await service.cluster.kill(server);
    const { code, errors } = await service.run(['import', '-'], csv(sales()));
    expect(code).toBe(1);
    expect(errors).toContain('A server of the cluster does not answer');
    expect(errors).toContain(host);
    expect(errors).not.toMatch(/^ +at /m);
    const alive = service.engine.each().filter((_, at) => at !== server);
    for (const other of alive) expect(await visibleCounts(other)).toEqual(before);
    expect(await salesSeen('admin')).toBe(before.admin);
    await service.cluster.revive(server);
    expect(await countsOfAll(service.engine)).toEqual(before);
  },
);

test('a token is valid on every server, and on none a few seconds after it is revoked', async () => {
  const { operator } = service;
  const everything = { role: 'admin', publisherIds: [], programIds: [] } as const;
  const {
    token,
    record: { id },
  } = await operator.createToken(everything);
  for (const server of service.engine.each()) {
    expect(await findToken(server, hashOfToken(token))).toMatchObject({ id, revokedAt: undefined });
  }
  expect((await ask('admin', token)).status).toBe(200);
  expect(await operator.revokeToken(id)).toBe(true);
  const statusOf = async () => (await ask('admin', token)).status;
  await expect.poll(statusOf).toBe(401);
  for (const server of service.engine.each()) {
    expect((await findToken(server, hashOfToken(token)))?.revokedAt).toBeInstanceOf(Date);
  }
});

test('a blocked subject is blocked on every server, until it is unblocked', async () => {
  const blocked = async () =>
    await Promise.all(
      service.engine.each().map(async (server) => {
        const found = await blockedSubjects(server);
        return found.map(({ subject }) => subject);
      }),
    );
  await service.operator.blockSubject('someone');
  expect(await blocked()).toEqual(service.engine.each().map(() => ['someone']));
  expect(await service.operator.unblockSubject('someone')).toBe(true);
  expect(await blocked()).toEqual(service.engine.each().map(() => []));
});

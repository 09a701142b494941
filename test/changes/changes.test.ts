import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { expireChanges } from '../../src/ingest/expire-changes.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import {
  FOREIGN,
  FOREIGN_PROGRAM,
  OWN,
  rowsWithSecrets,
  SECRET,
} from '../support/attacks/secrets.ts';
import { insertRows } from '../support/databases/inserted/insert-rows.ts';
import { addNewRows } from '../support/databases/inserted/new-rows.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';
import { type FollowedQuery, Follower } from './follower.ts';

const PERIOD = 'start_date=2020-01-01&end_date=2030-12-31';
const ZONE = 'Europe/Paris';

let service: TestService;
let admin: FollowedQuery;
let affiliate: string;

beforeAll(async () => {
  const memoryCache = fullOrShort(64 * 1024 * 1024, 0);
  service = await startService({ timeZone: ZONE, settings: { memoryCache } });
  const token = await service.token({ role: 'admin' });
  admin = { role: 'admin', token, types: ['sales'] };
  affiliate = await service.token({ role: 'affiliate', publisherIds: [100] });
});

afterAll(async () => await service.close());

const importRows = async (...rows: FileRow[]) => await service.importText(ndjson(rows));

const addRows = async (...rows: FileRow[]) => await addNewRows(service, rows);

const get = async (path: string, token = admin.token) => await service.get(path, token);

const nextOf = (response: Response): string =>
  /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? '';

/** Runs a function that changes rows. Returns the changes that the feed has since then. */
async function changesOf(change: () => Promise<unknown>, token = admin.token, role = 'admin') {
  const begin = await get(`/api/${role}/transactions/changes?type=sales,leads`, token);
  expect(await begin.json()).toEqual([]);
  await change();
  const response = await get(nextOf(begin), token);
  return (await response.json()) as readonly { readonly change: string }[];
}

const sale = (id: number, values: FileRow = {}): FileRow =>
  fileRow({ transaction_id: id, updated_at: '2026-02-01 10:00:00', ...values });

test('a request without a position gets no changes, only a link to later ones', async () => {
  await addRows(sale(1));
  const response = await get('/api/admin/transactions/changes?type=sales');
  expect(await response.text()).toBe('[]\n');
  await importRows(sale(2));
  const changes = await (await get(nextOf(response))).json();
  expect(changes).toMatchObject([
    { change: 'put', type: 'sales', transaction: { transaction_id: 2 } },
  ]);
});

test('a row that changes nothing does not appear in the feed', async () => {
  await addRows(sale(10), sale(11));
  const older = sale(11, { updated_at: '2026-01-31 10:00:00', status: 0 });
  expect(await changesOf(async () => await importRows(sale(10), older))).toEqual([]);
  const sameDate = sale(10, { status: 0 });
  const changes = await changesOf(async () => await importRows(sameDate));
  expect(changes).toMatchObject([{ change: 'put', transaction: { status: '0' } }]);
});

test('the feed has a transaction of the first hour of a month, which is in another month in UTC', async () => {
  for (const [token, role] of [
    [admin.token, 'admin'],
    [affiliate, 'affiliate'],
  ] as const) {
    const id = role === 'admin' ? 15 : 16;
    const row = sale(id, { created_at: '2026-02-01 00:30:00' });
    expect(await changesOf(async () => await addRows(row), token, role)).toMatchObject([
      { change: 'put', transaction: { transaction_id: id } },
    ]);
  }
});

test('a transaction that moves to another program is gone only for administrators of the former program', async () => {
  const former = await service.token({ role: 'admin', programIds: [10] });
  await addRows(sale(20, { program_id: 10 }));
  const move = async () =>
    await importRows(sale(20, { program_id: 11, updated_at: '2026-02-02 10:00:00' }));
  const begin = await get('/api/admin/transactions/changes?type=sales', former);
  expect(await changesOf(move)).toMatchObject([
    { change: 'put', transaction: { transaction_id: 20, program_id: 11 } },
  ]);
  expect(await (await get(nextOf(begin), former)).json()).toEqual([
    { change: 'gone', type: 'sales', transaction_id: 20 },
  ]);
});

test('an affiliate gets only changes of its own transactions, with the fields of its role', async () => {
  const changes = await changesOf(
    async () => await addRows(sale(30), sale(31, { publisher_id: 101 })),
    affiliate,
    'affiliate',
  );
  expect(changes).toMatchObject([{ change: 'put', transaction: { transaction_id: 30 } }]);
  expect(JSON.stringify(changes)).not.toContain('remu_program');
});

test('NDJSON has a change per line, and nothing at the end of the feed', async () => {
  const begin = await get('/api/admin/transactions/changes?type=sales&format=ndjson');
  await addRows(sale(40), sale(41));
  const response = await get(nextOf(begin));
  expect(response.headers.get('content-type')).toContain('application/x-ndjson');
  const lines = (await response.text()).split('\n');
  expect(lines.slice(0, 2).map((line) => JSON.parse(line).change)).toEqual(['put', 'put']);
  expect(lines.slice(2)).toEqual(['']);
  expect(await (await get(nextOf(response))).text()).toBe('');
});

test('a position is valid for its role, programs, publishers and types only', async () => {
  const limited = await service.token({ role: 'admin', programIds: [10] });
  const response = await get('/api/admin/transactions/changes?type=sales&publisher_id=100');
  const next = nextOf(response);
  expect((await get(next)).status).toBe(200);
  const changed = [
    [next, limited],
    [next.replace('publisher_id=100', 'publisher_id=100,101'), admin.token],
    [next.replace('&publisher_id=100', ''), admin.token],
    [next.replace('type=sales', 'type=sales,leads'), admin.token],
    ...[...'ABCDEFGH01_-']
      .map((last) => [next.slice(0, -1) + last, admin.token] as const)
      .filter(([path]) => path !== next),
  ] as const;
  for (const [path, token] of changed) {
    const refused = await get(path, token);
    expect(await refused.json()).toMatchObject({
      code: 'invalid_parameters',
      errors: [{ parameter: 'after' }],
    });
  }
});

test('a position outlives its token: another one with the same rights continues', async () => {
  const next = nextOf(await get('/api/admin/transactions/changes?type=sales&publisher_id=100'));
  expect((await get(next, await service.token({ role: 'admin' }))).status).toBe(200);
});

test('a position does not tell how many imports there were', async () => {
  const list = async () =>
    (await get(`/api/admin/transactions?type=sales&${PERIOD}`)).headers.get('changes-after') ?? '';
  const one = await list();
  expect(one).toMatch(/^[\w-]{103}$/);
  expect(await list()).toBe(one);
  await addRows(sale(70));
  const other = await list();
  const same = [...one].filter((character, at) => character === other[at]);
  expect(same.length).toBeLessThan(20);
});

test('an affiliate finds no secret of others in the feed, whatever it asks for', async () => {
  const mine = await service.token({ role: 'affiliate', publisherIds: OWN });
  const begin = nextOf(
    await get(`/api/affiliate/transactions/changes?type=${KINDS.join(',')}`, mine),
  );
  await addRows(...rowsWithSecrets());
  const all = await get(begin, mine);
  const changes = (await all.clone().json()) as readonly unknown[];
  expect(changes).toHaveLength(OWN.length * KINDS.length);
  expect(await all.text()).not.toMatch(SECRET);
  for (const program of [FOREIGN_PROGRAM, 10]) {
    const few = nextOf(
      await get(`/api/affiliate/transactions/changes?type=sales&program_id=${program}`, mine),
    );
    expect(await (await get(few, mine)).text()).toBe('[]\n');
  }
  const foreign = `${begin}&publisher_id=${FOREIGN}`;
  expect((await get(foreign, mine)).status).toBe(403);
});

test('a page of a list has no position, because its pages are read at different times', async () => {
  const page = await get(`/api/admin/transactions?type=sales&${PERIOD}&limit=1`);
  expect(page.headers.get('changes-after')).toBeNull();
});

test('a removed transaction is reported as gone, and one with emptied fields is sent again', async () => {
  await addRows(sale(50, { clickid: 'mine' }), sale(51, { clickid: 'mine' }));
  const erase = async (id: number, mode: 'empty' | 'remove') =>
    await service.operator.erase({
      selectors: [{ field: 'transaction_id', values: [String(id)] }],
      mode,
    });
  expect(await changesOf(async () => await erase(50, 'empty'))).toMatchObject([
    { change: 'put', transaction: { transaction_id: 50, clickid: null } },
  ]);
  expect(await changesOf(async () => await erase(51, 'remove'))).toEqual([
    { change: 'gone', type: 'sales', transaction_id: 51 },
  ]);
});

/** Removes the sales of May 2022 and before. */
async function retain() {
  const now = new Date();
  const months = 12 * (now.getUTCFullYear() - 2022) + now.getUTCMonth() - 5;
  await service.operator.retain({ retention: { sales: months }, isDryRun: false });
}

const OLD = { created_at: '2022-05-10 12:00:00' };

const EXPIRED = {
  change: 'expired',
  type: 'sales',
  created_before: expect.stringMatching(/^2022-0[67]-01 00:00:00$/),
};

test('months that retention removes are one change for each type', async () => {
  await addRows(sale(60, OLD), sale(61));
  const follower = await Follower.begin(service, admin);
  expect(await changesOf(retain)).toEqual([EXPIRED]);
  await follower.expectExactAtEnd(2);
  expect(await changesOf(retain)).toEqual([]);
});

test('a removal that ended before it was in the feed gets there later, also after another one of the same months', async () => {
  await retain();
  // Like a row that was imported while the retention was longer. An import would refuse it now.
  await insertRows(service.database, [sale(62, OLD)]);
  const { engine } = service.database;
  const execute = engine.execute.bind(engine);
  const spy = vi.spyOn(engine, 'execute').mockImplementation(async (...call) => {
    if (call[0].text.startsWith('INSERT INTO changes')) throw new Error('stopped');
    await execute(...call);
  });
  try {
    await expect(retain()).rejects.toThrow('stopped');
  } finally {
    spy.mockRestore();
  }
  expect(await changesOf(retain)).toEqual([EXPIRED]);
  expect(await changesOf(retain)).toEqual([]);
});

test('positions before dropped changes are refused, and later ones are not', async () => {
  const { engine, topology } = service.database;
  const before = nextOf(await get('/api/admin/transactions/changes?type=sales'));
  // A batch of the first week of 2024.
  const batch = Date.UTC(2024, 0, 3) * 1000;
  await engine.execute(
    plainStatement(`INSERT INTO changes SELECT ${batch}, 100, 1, 10, 'sales', now(), now(), 0`),
  );
  await engine.execute(
    plainStatement(
      `INSERT INTO publications SELECT max(number) + 1, 'published', ${batch}, 'old', now64(3) FROM publications`,
    ),
  );
  const after = nextOf(await get('/api/admin/transactions/changes?type=sales'));
  await expireChanges(await clusterNodesOf(engine, topology), 90);
  const refused = await get(before);
  expect([refused.status, await refused.json()]).toMatchObject([410, { code: 'changes_expired' }]);
  expect((await get(after)).status).toBe(200);
});

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIRST_DAY, LAST_DAY } from '../../src/contract/query/calendar.ts';
import {
  ACCESS_COMMANDS,
  type ConsumerFolder,
  consumerFolder,
} from '../support/programs/consumer-folder.ts';
import { commandsOf } from '../support/programs/page-commands.ts';
import { missingOf, skipped } from '../support/programs/programs.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fc } from '../support/run/properties.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import {
  type DatabaseServer,
  missingPrograms,
  SECRET,
  startPostgres,
} from '../support/servers/database-server.ts';

const missing = [...missingPrograms.postgres, ...missingOf('jq')];

let service: TestService;
let warehouse: DatabaseServer;
let home: ConsumerFolder;
let token: string;
let commands: string;

const EXAMPLE = /^export PGHOST=.*$/m;

/** The variables that tell `psql` where the server is. */
function access(): string {
  const [host, port] = warehouse.place.split(':');
  const password = `'${SECRET.replaceAll("'", `'\\''`)}'`;
  return `export PGHOST=${host} PGPORT=${port} PGUSER=shop PGDATABASE=shop PGPASSWORD=${password}`;
}

const sync = async (before = '') => await home.run(`${access()}\n${before}\nbash prove.sh sales`);

async function synced(): Promise<void> {
  const { status, stderr } = await sync();
  expect([status, stderr]).toEqual([0, '']);
}

const AWKWARD = '\\\\ "q",\u2028';

async function followed(): Promise<void> {
  const { status, stdout, stderr } = await home.run(`${access()}\nbash follow.sh`);
  expect([status, stdout, stderr]).toEqual([0, '', '']);
}

/** A sale whose day and website depend only on its number. */
const sale = (number: number, values: FileRow = {}): FileRow =>
  fileRow({
    transaction_id: number,
    publisher_id: 100 + (number % 3),
    created_at: `2026-0${1 + (number % 2)}-1${number % 5} 12:00:00`,
    updated_at: '2026-03-01 00:00:00',
    ...values,
    validation_date: values.status === 1 ? '2026-03-01 00:00:00' : null,
  });

const imported = async (...rows: readonly FileRow[]) => await service.importText(ndjson(rows));

const FIELDS =
  'transaction_id,program_id,publisher_id,subid,remuneration,status,created_at,updated_at';

/** The sales in the copy, sorted by id, in the form of the service's records. */
const copied = (): readonly unknown[] =>
  JSON.parse(
    warehouse.run(`SELECT coalesce(json_agg(record ORDER BY transaction_id), '[]') FROM (
      SELECT transaction_id, program_id, publisher_id, subid, remuneration, status,
        to_char(created_at, 'YYYY-MM-DD HH24:MI:SS') AS created_at,
        to_char(updated_at, 'YYYY-MM-DD HH24:MI:SS') AS updated_at
      FROM transactions WHERE type = 'sales') AS record`),
  ) as unknown[];

/** The sales that the service returns, sorted by id. */
async function answered(): Promise<readonly unknown[]> {
  const question = `type=sales&start_date=1970-01-01&end_date=2106-12-31&fields=${FIELDS}`;
  const answer = await service.get(`/api/affiliate/transactions?${question}`, token);
  const all = (await answer.json()) as { transaction_id: number }[];
  return all.sort((one, other) => one.transaction_id - other.transaction_id);
}

const changes = fc.uniqueArray(
  fc.record({
    number: fc.integer({ min: 1, max: 25 }),
    // Few dates, so that some are equal. A version replaces one of an equal date, and never one of a later date.
    updated_at: fc.constantFrom(
      '2026-03-01 00:00:00',
      '2026-03-02 00:00:00',
      '2026-03-02 00:00:01',
      '2026-05-01 00:00:00',
    ),
    status: fc.integer({ min: 0, max: 2 }),
    // The token sees 10 and 11, so a record that moves to 99 leaves the list.
    program_id: fc.constantFrom(10, 11, 99),
    remu_publisher: fc.constantFrom(1.5, 0.000001, null),
    subid: fc.constantFrom('a,b', '"q"', 'é\u2028', '\\N', null),
  }),
  { selector: ({ number }) => number, minLength: 1 },
);

const rowsOf = (some: typeof changes extends fc.Arbitrary<infer Value> ? Value : never) =>
  some.map(({ number, ...values }) => sale(number, values));

describe.skipIf(missing.length > 0)(`in a real PostgreSQL${skipped(missing)}`, () => {
  beforeAll(async () => {
    commands = await commandsOf('docs/how-to/sync-into-a-warehouse.md');
    service = await startService();
    warehouse = await startPostgres();
    const order = { role: 'affiliate', publisherIds: [100, 101, 102], programIds: [10, 11] };
    token = await service.token({ ...order, role: 'affiliate' });
    home = await consumerFolder(service.url, token);
  });

  afterAll(async () => await Promise.all([home?.close(), warehouse?.stop(), service?.close()]));

  test('the commands of the page make a copy and count its records', async () => {
    await imported(
      sale(1),
      sale(2, { status: 1, remu_publisher: 2.5 }),
      sale(901, { type: 'leads' }),
    );
    expect(commands).toContain(ACCESS_COMMANDS);
    expect(commands).toMatch(EXAMPLE);
    expect(commands).toContain(`group_by=day&start_date=${FIRST_DAY}&end_date=${LAST_DAY}"`);
    const { status, stdout, stderr } = await home.run(commands.replace(EXAMPLE, access));
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.replaceAll(' ', '')).toContain('leads|2|1|\nsales|1|1|2.5\nsales|2|1|\n');
    expect(copied()).toEqual(await answered());
  });

  test('the user of a reporting program can read the copy and its view, and change nothing', () => {
    const asReporter = (sql: string) => warehouse.run(`SET ROLE reporter; ${sql}`);
    const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`;
    expect(asReporter(tables)).toBe('sales_by_day\ntransactions\n');
    const month = `SELECT date_trunc('month', day), sum(sales), sum(validated), sum(remuneration) FROM sales_by_day GROUP BY 1`;
    expect(
      asReporter(`SELECT sum, sum_1 FROM (${month}) AS m (at, sum, sum_1, money) ORDER BY at`),
    ).toBe('1|1\n1|0\n');
    for (const sql of ['DELETE FROM transactions', 'SELECT * FROM positions']) {
      expect(() => asReporter(sql)).toThrow('permission denied');
    }
  });

  test('follow.sh applies late, erased and moved records, and prove.sh finds no difference', async () => {
    const late = { created_at: '2001-02-03 04:05:06', updated_at: '2001-02-03 04:05:06' };
    await imported(sale(903, late), sale(904, { subid: AWKWARD }));
    await followed();
    expect(copied()).toEqual(await answered());
    expect(copied()).toHaveLength(4);
    await imported(sale(903, { ...late, program_id: 99 }));
    await service.operator.erase({
      selectors: [{ field: 'subid', values: [AWKWARD] }],
      mode: 'remove',
    });
    await followed();
    expect(copied()).toEqual(await answered());
    expect(copied()).toHaveLength(2);
    const { stdout } = await sync();
    expect(stdout).toBe('sales 0 missing or different\nsales 0 too many or different\n');
  });

  // Only in the full run. In `npm test`, the test above runs prove.sh, which finds no difference.
  test.runIf(IS_FULL)('prove.sh counts rows that are wrong and corrects them', async () => {
    warehouse.run('UPDATE transactions SET remuneration = 7 WHERE transaction_id = 1');
    await imported(sale(1, { subid: 'new', updated_at: '2026-03-01 00:00:01' }));
    const { stdout } = await sync();
    expect(stdout).toBe('sales 1 missing or different\nsales 1 too many or different\n');
    expect(copied()).toEqual(await answered());
    await followed();
  });

  // Only in the full run. In `npm test`, the test of follow.sh applies late records.
  test.runIf(IS_FULL)(
    'changes that arrive years late are found, and records that leave the list are deleted',
    async () => {
      await imported(sale(900, { created_at: '2001-02-03 04:05:06', remu_publisher: 1 }));
      await synced();
      const before = copied();
      expect(before).toHaveLength(3);
      await imported(sale(900, { created_at: '2001-02-03 04:05:06', remu_publisher: 2 }));
      await synced();
      expect(copied()).toEqual(await answered());
      expect(copied()).not.toEqual(before);
      await imported(sale(900, { created_at: '2001-02-03 04:05:06', program_id: 99 }));
      await synced();
      expect(copied()).toHaveLength(2);
      expect(warehouse.run("SELECT count(*) FROM days WHERE day < '2026-01-01'")).toBe('0\n');
    },
  );

  // Only in the full run. In `npm test`, the tests above run prove.sh, which selects days by fingerprints.
  test.runIf(IS_FULL)('only the days that changed are read again', async () => {
    await imported(sale(2, { subid: 'later', updated_at: '2026-03-01 00:00:01' }));
    const { stdout } = await sync(
      'curl() { echo "$@" >&3; command curl "$@"; }; export -f curl; exec 3>&1',
    );
    const days = stdout.match(/start_date=[\d-]+&end_date=[\d-]+&fields/g);
    expect(days).toEqual(['start_date=2026-01-12&end_date=2026-01-12&fields']);
  });

  // Only in the full run. In `npm test`, follow-changes.test.ts imports during a run.
  test.runIf(IS_FULL)(
    'an import between the fingerprints and the rows is read in the next round',
    async () => {
      const before = sale(902, { subid: 'before' });
      const wait = 'touch asked; until [ -e go ]; do sleep 0.05; done';
      const pause = `curl() { command curl "$@"; case "$*" in *summary*) ${wait} ;; esac; }; export -f curl`;
      await imported(before);
      const running = sync(pause);
      await expect.poll(() => existsSync(join(home.folder, 'asked'))).toBe(true);
      await imported({ ...before, subid: 'wrong' });
      await writeFile(join(home.folder, 'go'), '');
      expect((await running).status).toBe(0);
      expect(copied()).toEqual(await answered());
      // Now the fingerprints are those of the first round again. If the run had ended there, `wrong` would stay.
      await imported(before);
      await synced();
      expect(copied()).toEqual(await answered());
    },
  );

  test('a response that is cut off fails the script and does not change the copy', async () => {
    const before = copied();
    const length = fullOrShort(3000, 600);
    await imported(...Array.from({ length }, (_, at) => sale(at + 1000)));
    const proxy = await startCuttingProxy(service.url, 'fields=');
    try {
      proxy.cutNext([1000]);
      const { status, stderr } = await sync(`export API=${proxy.url}`);
      expect([proxy.cuts, status === 0]).toEqual([1, false]);
      expect(stderr).toContain('curl: (18)');
    } finally {
      await proxy.close();
    }
    expect(copied()).toEqual(before);
    await synced();
    expect(copied()).toEqual(await answered());
  });

  // Only in the full run. In `npm test`, follow-changes.test.ts has random imports, and tests above run prove.sh.
  test.runIf(IS_FULL)(
    'after any imports, even one during a run, the copy equals the list of the service',
    async () => {
      await fc.assert(
        fc.asyncProperty(changes, changes, async (before, meanwhile) => {
          await imported(...rowsOf(before));
          await Promise.all([synced(), imported(...rowsOf(meanwhile))]);
          await synced();
          expect(copied()).toEqual(await answered());
        }),
        { numRuns: fullOrShort(6, 1), endOnFailure: true },
      );
    },
  );

  // Only in the full run. In `npm test`, follow-changes.test.ts compares a copy after random imports.
  test.runIf(IS_FULL)(
    'after any imports, even one during a run, follow.sh makes the copy equal the list of the service',
    async () => {
      await fc.assert(
        fc.asyncProperty(changes, changes, async (before, meanwhile) => {
          await imported(...rowsOf(before));
          await Promise.all([followed(), imported(...rowsOf(meanwhile))]);
          await followed();
          expect(copied()).toEqual(await answered());
        }),
        { numRuns: fullOrShort(6, 1), endOnFailure: true },
      );
    },
  );
});

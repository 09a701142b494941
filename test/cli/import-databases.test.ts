import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { importHome } from '../support/databases/import-home.ts';
import { MAPPING, SOURCES, type SourceKind } from '../support/databases/source-tables.ts';
import { openStore, type Store } from '../support/databases/stores.ts';
import { outcomeOf, startCommand, startServing } from '../support/programs/command.ts';
import { startService } from '../support/requests/service.ts';
import { everyNth } from '../support/run/sampled.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import {
  type DatabaseServer,
  missingPrograms,
  SECRET,
} from '../support/servers/database-server.ts';

const ZONE = 'Europe/Paris';
const home = importHome(ZONE);

/** Flags that say how files are written. */
const FILE_FLAGS = ['--encoding', 'windows-1252', '--delimiter', ';', '--dates', 'DD/MM/YYYY'];

beforeEach(async () => await home.put('mapping.json', JSON.stringify(MAPPING)));

/** A token of an administrator, created before a service has the database open. */
async function newToken(): Promise<string> {
  const url = `chdb:${join(home.path, 'data')}`;
  const operator = new LocalOperator(await openDatabase({ url, timeZone: undefined }));
  const { token } = await operator.createToken({ role: 'admin', publisherIds: [], programIds: [] });
  await operator.close();
  return token;
}

const SALES = '/api/admin/transactions?type=sales&start_date=2026-01-01&end_date=2026-12-31';

/** The sales in the answer of a service in this process, on a copy of the database. */
async function salesInCopy(): Promise<Record<string, unknown>[]> {
  const service = await startService({
    timeZone: ZONE,
    makeEmbedded: async (to) => await cp(join(home.path, 'data'), to, { recursive: true }),
  });
  const answer = await service.get(SALES, await service.token({}));
  const sales = (await answer.json()) as Record<string, unknown>[];
  await service.close();
  return sales;
}

const kinds = (Object.keys(SOURCES) as SourceKind[]).map((kind) => {
  const missing = missingPrograms[kind];
  const title = missing.length === 0 ? kind : `${kind} (skipped: no ${missing.join(', ')} here)`;
  return { kind, title, isMissing: missing.length > 0 };
});

for (const { kind, title, isMissing } of kinds) {
  describe.skipIf(isMissing)(`from ${title}`, () => {
    let server: DatabaseServer;
    const { start, schema, password } = SOURCES[kind];
    // In `npm test`, only the first kind is used to test the behaviour that all kinds share.
    const isTriedInFull = IS_FULL || kind === kinds[0]?.kind;

    beforeAll(async () => {
      server = await start();
      server.run(schema);
    });

    afterAll(async () => await server?.stop());

    const url = (table: string, rest = '') =>
      `${kind}://shop@${server.place}/shop?table=${table}${rest}`;
    const environment = { [password]: SECRET, TIMEZONE: ZONE };
    const run = async (args: readonly string[], more = {}) =>
      await home.run(args, '', { ...environment, ...more });
    const asked = async () =>
      await readFile(
        join(server.directory, kind === 'mysql' ? 'asked.log' : 'log/asked.log'),
        'utf8',
      );

    // In `npm test`, only the first kind is imported through a running server, and again: with the password in a file, and with the flags and the
    // encoding that the next two tests have one by one.
    test('a table is imported with all values, through a running server, and a repeated import changes nothing', async () => {
      const place = { directory: home.path, environment };
      const token = await newToken();
      const serve = async () => await startServing(['serve', '--port', '0'], place);
      const serving = isTriedInFull ? await serve() : undefined;
      const rows = async () => {
        if (serving === undefined) return await salesInCopy();
        const headers = { authorization: `Bearer ${token}` };
        return (await (await fetch(serving.url + SALES, { headers })).json()) as Record<
          string,
          unknown
        >[];
      };
      const order = [url('orders'), '--mapping', 'mapping.json'];
      const first = await run([...order, '--json']);
      expect([first.code, first.errors]).toEqual([0, '']);
      expect(JSON.parse(first.output)).toMatchObject({ files: 1, rows: 3, imported: 3 });
      const found = await rows();
      const picked = found.map((row) =>
        Object.fromEntries(
          [...Object.keys(MAPPING.fields).slice(1)].map((name) => [name, row[name]]),
        ),
      );
      // Local times are in UTC, as the mapping says; the platform's time zone is Paris.
      expect(picked).toEqual([
        {
          transaction_id: 1,
          program_id: 10,
          publisher_id: 100,
          support_id: 1,
          amount: 12.5,
          remu_publisher: 12345.67,
          coupon: 'é😀 "q", \n x',
          ip_address: '10.0.0.1',
          status: '1',
          validation_date: '2026-03-01 09:00:00',
          created_at: '2026-03-01 08:00:00',
          updated_at: '2026-03-01 09:00:00',
        },
        {
          transaction_id: 2,
          program_id: 10,
          publisher_id: 100,
          support_id: 1,
          amount: -1,
          remu_publisher: null,
          coupon: null,
          ip_address: '::1',
          status: '0',
          validation_date: null,
          created_at: '2026-03-02 08:00:00',
          updated_at: '2026-03-03 09:00:00',
        },
        {
          transaction_id: 3,
          program_id: 11,
          publisher_id: 100,
          support_id: 1,
          amount: 99999999.123456,
          remu_publisher: 1234567,
          coupon: null,
          ip_address: null,
          status: '2',
          validation_date: null,
          created_at: '2026-03-29 03:30:00',
          updated_at: '2026-03-29 01:30:00',
        },
      ]);
      if (isTriedInFull) {
        await writeFile(join(home.path, 'password'), `${SECRET}\n`);
        const flags = ['--source-password-file', 'password', ...FILE_FLAGS, '--decimal', ','];
        const others = { TIMEZONE: ZONE, PGCLIENTENCODING: 'LATIN1' };
        const { output } = await home.run([...order, ...flags], '', others);
        expect(output).toMatch(/^Imported 3 rows/m);
        expect(await rows()).toEqual(found);
      }
      if (serving === undefined) return;
      expect((await serving.stop()).code).toBe(0);
      expect(serving.log.join('')).not.toContain(SECRET);
    });

    // Only in the full run, like the next one. In `npm test`, the test above has these flags and this encoding.
    test.runIf(IS_FULL)(
      'flags that say how files are written do not change how a table is read',
      async () => {
        const order = [url('orders'), '--mapping', 'mapping.json'];
        for (const decimal of [',', '.']) {
          const { code, output } = await run([...order, ...FILE_FLAGS, '--decimal', decimal]);
          expect([code, output]).toEqual([0, expect.stringMatching(/^Imported 3 rows/m)]);
        }
      },
    );

    test.runIf(IS_FULL && kind === 'postgres')(
      'texts are read in UTF-8, even if the environment names another encoding',
      async () => {
        const order = [url('orders'), '--mapping', 'mapping.json'];
        const { code, output } = await run(order, { PGCLIENTENCODING: 'LATIN1' });
        expect([code, output]).toEqual([0, expect.stringMatching(/^Imported 3 rows/m)]);
      },
    );

    test.runIf(kind === 'mysql')(
      '--round rounds floats that the database writes with an exponent',
      async () => {
        const order = [url('tiny'), '--mapping', 'mapping.json', '--round'];
        const { code, output } = await run(order);
        expect([code, output]).toEqual([0, expect.stringMatching(/^Imported 3 rows/m)]);
      },
    );

    // In `npm test`, the next test has a date for the other kind.
    test.runIf(isTriedInFull)(
      'with --since, the source sends only rows that changed since',
      async () => {
        const order = [url('orders'), '--mapping', 'mapping.json', '--json', '--since'];
        const since = async (date: string) => JSON.parse((await run([...order, date])).output).rows;
        // The mapping says that local times of the source are in UTC, so the date is in UTC too.
        expect(await since('2026-03-03 08:00:01')).toBe(1);
        if (IS_FULL) {
          expect(await since('2026-03-03 08:00:00')).toBe(2);
          expect(await since('2026-03-29T02:30:00+02:00')).toBe(1);
          expect(await since('2027-01-01')).toBe(0);
        }
        expect(await asked()).toMatch(/changed[`"] >= /);
      },
    );

    test.runIf(kind === 'mysql')(
      'with --since, rows with a date of zeros are read and reported',
      async () => {
        const order = [url('dateless'), '--mapping', 'mapping.json', '--since', '2026-03-29'];
        const { code, output } = await run(order);
        expect(code).toBe(1);
        expect(output).toContain('Order No=2 updated_at is required\n');
        expect(output).toContain('1 of 2 rows are wrong');
        expect(await asked()).toMatch(/changed` >= /);
      },
    );

    // Only in the full run. In `npm test`, import.test.ts checks faulty and rejected rows.
    test.runIf(IS_FULL)(
      'faulty rows are reported by key, and --rejects imports the others',
      async () => {
        const order = [url('broken'), '--mapping', 'mapping.json'];
        const refused = await run(order);
        expect(refused.code).toBe(1);
        const place = `${kind}://${server.place}/shop?table=broken Order No=2`;
        expect(refused.output).toContain(
          `${place} status "2" is a code that the mapping does not list\n`,
        );
        expect(refused.output).toMatch(/Order No=2 created_at .* must be a date/);
        expect(refused.output).toContain('Nothing was imported: 1 of 3 rows are wrong.');
        const taken = await run([...order, '--rejects', 'rejected.csv']);
        expect(taken.output).toContain('Imported 2 rows; 1 rejected row is in rejected.csv');
        expect(await readFile(join(home.path, 'rejected.csv'), 'utf8')).toContain('"Order No=2"');
      },
    );

    const mistakes = [
      [() => url('order'), {}, 'there is no table "order"', 'Did you mean "orders"?'],
      [() => url('o\'r`d"e\\rs'), {}, 'there is no table', '?table=…'],
      [
        () => url('orders'),
        { PGPASSWORD: 'wrong', MYSQL_PWD: 'wrong' },
        'does not accept the user',
        '--source-password-file',
      ],
      [() => url('orders').replace('/shop?', '/nothing?'), {}, 'no such database', 'next'],
      [() => url('orders').replace(server.place, '127.0.0.1:1'), {}, 'cannot be reached', 'port'],
      [
        () => url('orders').replace(server.place, 'no-such-host.invalid'),
        {},
        'cannot be reached',
        'host',
      ],
      [() => url('orders', '&tabel=x'), {}, 'unknown parameter "tabel"', 'Did you mean "table"?'],
      [() => url('orders').replace('?table=orders', ''), {}, 'it names no table', 'Write it like'],
    ] as const;

    // Only the first four depend on the kind of source. `npm test` tries two of the eight with the first
    // kind, and one of the first four with the other kind. The full run tries all eight with both kinds.
    test.each(isTriedInFull ? everyNth(mistakes, 4, 2) : everyNth(mistakes.slice(0, 4), 4, 2))(
      'an error of a source is reported without the password: %#',
      async (address, more, problem, next) => {
        const { code, output, errors } = await run([address(), '--mapping', 'mapping.json'], more);
        expect([code, output]).toEqual([1, '']);
        expect(errors).toContain(problem);
        if (next !== 'next') expect(errors).toContain(next);
        expect(errors).not.toContain(SECRET);
        expect(errors.trim().split('\n').length).toBeGreaterThan(1);
      },
    );

    // Only in the full run. In `npm test`, import-mapping.test.ts refuses other wrong mappings.
    test.runIf(IS_FULL)(
      'columns of the mapping that the table lacks are reported with the nearest name',
      async () => {
        const fields = { ...MAPPING.fields, coupon: 'lable', updated_at: 'label' };
        await home.put('wrong.json', JSON.stringify({ fields }));
        expect((await run([url('orders'), '--mapping', 'wrong.json'])).errors).toContain(
          'the mapping uses the column "lable", which does not exist. Did you mean "label"?',
        );
        await home.put('text.json', JSON.stringify({ fields: { ...fields, coupon: 'label' } }));
        expect(
          (await run([url('orders'), '--mapping', 'text.json', '--since', '2026-01-01'])).errors,
        ).toContain('--since needs a column of dates');
        expect((await run([url('orders')])).errors).toContain(
          'Map its columns to fields: --mapping FILE',
        );
      },
    );

    test.runIf(isTriedInFull)(
      'the password can be in the URL or in a file, and is not in the process list',
      async () => {
        if (IS_FULL) {
          await writeFile(join(home.path, 'password'), `${SECRET}\n`);
          const file = ['--source-password-file', 'password', '--mapping', 'mapping.json'];
          expect((await home.run([url('orders'), ...file], '', { TIMEZONE: ZONE })).code).toBe(0);
        }
        const inside = url('slow').replace('shop@', `shop:${encodeURIComponent(SECRET)}@`);
        const child = startCommand(['import', inside, '--mapping', 'mapping.json'], {
          directory: home.path,
          environment: { TIMEZONE: ZONE },
        });
        const ended = outcomeOf(child);
        while (!/FROM .slow./.test(await asked())) await sleep(50);
        for (const process of await readdir('/proc').catch(() => [])) {
          const line = await readFile(`/proc/${process}/cmdline`, 'latin1').catch(() => '');
          expect(line).not.toContain(encodeURIComponent(SECRET));
          expect(line).not.toContain(SECRET);
        }
        child.kill('SIGINT');
        const { code, errors } = await ended;
        expect([code, errors]).toEqual([
          1,
          expect.stringContaining('Interrupted: nothing was imported.'),
        ]);
        expect(await readdir(join(home.path, 'data/incoming'))).toEqual([]);
      },
    );

    // Only in the full run. In `npm test`, clickhouse-users.test.ts imports files into a server.
    test.runIf(IS_FULL)(
      'a ClickHouse server receives the rows without access to the source',
      async () => {
        const store: Store = await openStore('server', join(home.path), ZONE);
        try {
          const order = [url('orders'), '--mapping', 'mapping.json', '--json'];
          const { output } = await run(order, { DATABASE_URL: store.url });
          expect(JSON.parse(output)).toMatchObject({ rows: 3, imported: 3 });
        } finally {
          await store.close();
        }
      },
    );
  });
}

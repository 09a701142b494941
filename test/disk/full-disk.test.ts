import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { mountSmallDisk, type SmallDisk } from '../support/run/small-disk.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import { type ServingProcess, startServing } from '../support/servers/serving-process.ts';

const ROWS = 20_000;

/** Megabytes of the disk. */
const SIZE = 200;
/** Megabytes that are free when an import of all rows begins. */
const LEFT = 5;

const disk = await mountSmallDisk(SIZE);

let home: string;
let server: ServingProcess;
let database: readonly string[];

beforeAll(async () => {
  if (disk === undefined) return;
  home = await mkdtemp(join(tmpdir(), 'transactions-full-disk-'));
  await newDatabase(join(disk.path, 'db'), 'UTC');
  const url = `chdb:${join(disk.path, 'db')}`;
  database = ['--database', url];
  const operator = new LocalOperator(await openDatabase({ url, timeZone: undefined }));
  const { token } = await operator.createToken({ role: 'admin', publisherIds: [], programIds: [] });
  await operator.close();
  server = await startServing({ url, token, remove: async () => undefined });
  await writeFile(join(home, 'all.csv'), salesOf(ROWS, 1000));
  await writeFile(join(home, 'one.csv'), salesOf(1, 1));
});

afterAll(async () => {
  server?.kill('SIGKILL');
  await server?.ended;
  await disk?.unmount();
  if (home !== undefined) await rm(home, { recursive: true });
});

/** Sales of two years, whose click ids cannot be compressed. */
function salesOf(rows: number, firstId: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const day = `202${4 + (at % 2)}-${String(1 + (at % 12)).padStart(2, '0')}-10 10:00:00`;
    return `${firstId + at},12,345,1,2,${day},${day},${randomBytes(60).toString('hex')}\n`;
  });
  return `transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at,clickid\n${lines.join('')}`;
}

const run = async (...args: readonly string[]) =>
  await runCommand([...args, ...database], { directory: home });

const importOf = async (name: string) => await run('import', name, '--type', 'sales');

const FULL = /The disk of \S+ is full \(\d+ MB free\), so nothing was imported\. Make room/;

const FAILED =
  /The import that ended at \S+Z failed because a disk was full, and no later import has succeeded\. Make room, then/;

/** The status and the number of rows of all sales. */
async function read(format: string): Promise<readonly [number, number]> {
  const period = 'start_date=2020-01-01&end_date=2029-12-31';
  const path = `/api/admin/transactions?type=sales&${period}&fields=transaction_id`;
  const response = await fetch(`${server.url}${path}&format=${format}`, {
    headers: { authorization: server.authorization },
  });
  return [response.status, (await response.text()).split('\n').length - 1];
}

/** Without the right to mount there is no disk to fill. */
test.skipIf(disk === undefined)(
  'on a full disk imports fail as a whole, readers go on, and the service recovers when there is room',
  async () => {
    const small = disk as SmallDisk;
    expect(await importOf('one.csv')).toMatchObject({ code: 0 });
    await small.fill(LEFT);
    expect(await importOf('all.csv')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(FULL),
    });
    expect(await read('ndjson')).toEqual([200, 1]);
    await small.fill();
    if (IS_FULL) {
      expect(await importOf('all.csv')).toMatchObject({
        code: 1,
        errors: expect.stringMatching(FULL),
      });
    }
    expect((await run('check')).output).toMatch(
      /The disk of \S+ is almost full \(0 MB free\): imports/,
    );
    // The audit log waits for room without delaying readers.
    for (let at = 0; at < 20; at += 1) expect(await read('ndjson')).toEqual([200, 1]);
    expect((await read('parquet'))[0]).toBe(503);
    await small.empty();
    const check = async () => (await run('check')).output;
    // `check` finds the failed import in the audit log, which the service can write again.
    await expect.poll(check, { timeout: 30_000 }).toMatch(FAILED);
    expect(await check()).not.toContain('almost full');
    expect(await importOf('all.csv')).toMatchObject({ code: 0 });
    await expect.poll(check, { timeout: 30_000 }).not.toMatch(FAILED);
    expect(await read('ndjson')).toEqual([200, ROWS + 1]);
    expect((await read('parquet'))[0]).toBe(200);
    const audited = async () => {
      const { output } = await run('audit', '--since', '2020-01-01', '--format', 'json');
      return output.split('"event":"report"').length;
    };
    await expect.poll(audited, { timeout: 30_000 }).toBeGreaterThan(20);
  },
);

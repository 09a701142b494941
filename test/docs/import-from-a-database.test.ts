import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { csv } from '../support/rows/csv.ts';
import { IS_FULL } from '../support/run/test-extent.ts';
import {
  type DatabaseServer,
  missingPrograms,
  SECRET,
  startMariadb,
  startPostgres,
} from '../support/servers/database-server.ts';
import { type ObjectStore, startObjectStore } from '../support/servers/object-store.ts';

const missing = [...missingPrograms.postgres, ...missingPrograms.mysql];
const reason = missing.length === 0 ? '' : ` (skipped: no ${missing.join(', ')} here)`;

const ORDERS = `CREATE TABLE orders (id int, campaign int, site int, amount decimal(10, 2), state varchar(9),
  decided_at timestamp NULL, created_at timestamp NULL, updated_at timestamp NULL);
INSERT INTO orders VALUES (ID, 10, 100, 1.5, 'open', NULL, '2026-02-01 10:00:00', '2026-02-01 10:00:00'),
  (ID + 1, 10, 100, 2, 'approved', '2026-03-02 10:00:00', '2026-02-01 10:00:00', '2026-03-02 10:00:00');`;

const ROW = {
  id: 5,
  campaign: 10,
  site: 100,
  amount: '1.50',
  state: 'declined',
  decided_at: null,
  created_at: '2026-02-01 10:00:00',
  updated_at: '2026-02-01 10:00:00',
};

let directory: string;
let postgres: DatabaseServer | undefined;
let mariadb: DatabaseServer | undefined;
let store: ObjectStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sources-page-'));
  store = await startObjectStore('change-me');
  store.put('2026/a.csv.gz', gzipSync(csv([ROW])));
  if (!IS_FULL || missing.length > 0) return;
  postgres = await startPostgres();
  postgres.run(ORDERS.replaceAll('ID', '1'));
  mariadb = await startMariadb();
  mariadb.run(ORDERS.replaceAll('ID', '3'));
});

afterAll(async () => {
  await Promise.all([postgres?.stop(), mariadb?.stop(), store.close()]);
  await rm(directory, { recursive: true, force: true });
});

// Only in the full run. In `npm test`, import-databases.test.ts and import-bucket.test.ts import with the same
// commands.
test.runIf(IS_FULL && missing.length === 0)(
  `the commands of the page import from each source${reason}`,
  async () => {
    await provideNpx(directory);
    const secret = `'${SECRET.replaceAll("'", `'\\''`)}'`;
    const commands = (await commandsOf('docs/how-to/import-from-a-database.md'))
      .replaceAll('reader@db.example', `shop@${postgres?.place}`)
      .replaceAll('reader@mysql.example', `shop@${mariadb?.place}`)
      .replaceAll(/(PGPASSWORD|MYSQL_PWD)=change-me/g, (_, name) => `${name}=${secret}`);
    const script = `export AWS_ENDPOINT_URL=${store.url} TIMEZONE=UTC\n${commands}`;
    const { status, stdout, stderr } = await runScript(script, directory);
    expect([status, stderr]).toEqual([0, '']);
    const rows = [...stdout.matchAll(/Imported (\d+) rows?/g)].map(([, count]) => Number(count));
    expect(rows).toEqual([2, 2, 1, 1, 2]);
  },
);

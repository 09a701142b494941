import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AddressVisibility,
  FULL_ADDRESSES,
  VISIBILITIES,
} from '../../src/contract/record/address-visibility.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { changeAddressVisibility } from '../../src/database/change-ip-addresses.ts';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { type Database, openDatabase } from '../../src/database/open-database.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createStaging, dropStaging, stagingOf } from '../../src/ingest/staging/staging.ts';
import { headStatement } from '../../src/plan/changes/publication-statements.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { isMigrationDue } from '../../src/schema/migrations.ts';
import { TRANSACTION_TABLES } from '../../src/schema/transaction-tables.ts';
import { endAbandonedLease } from '../../src/schema/values/maintenance-lease.ts';
import { storedAddressVisibility } from '../../src/schema/values/stored-address-visibility.ts';
import { openStore, type Store } from '../support/databases/stores.ts';
import { TESTED_STORES } from '../support/databases/tested-stores.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { addressRows, EVERYBODY, HIDDEN_PART } from '../support/rows/addresses.ts';
import { ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort, IS_FULL, SEED } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

const timeZone = 'Europe/Paris';

const ROWS = addressRows();

/** In `npm test`, the addresses are masked for one role, then for the other one too. */
const STEPS = fullOrShort<readonly AddressVisibility[]>(
  [EVERYBODY.masked, EVERYBODY.hidden, FULL_ADDRESSES],
  [{ admin: 'full', affiliate: 'masked' }, EVERYBODY.masked],
);

const isOfAffiliates = (row: unknown) => JSON.stringify(row).includes('"affiliate_transactions"');

let home: string;
let file: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-addresses-'));
  file = join(home, 'rows.ndjson');
  await writeFile(file, ndjson(ROWS));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

async function importRows(database: Database): Promise<void> {
  const files = [{ path: file, name: 'rows.ndjson' }];
  const report = await new LocalOperator(database).importFiles(
    { files, type: undefined, round: false, rejects: false },
    {},
  );
  expect(report.imported).toBe(ROWS.length);
}

/** Everything that readers can see of each table. */
async function recordsIn(engine: Engine): Promise<readonly unknown[]> {
  const tables = TRANSACTION_TABLES.map(async ({ table, createView }) => {
    const column = table.includes('_by_') ? "''" : 'shown_ip_address';
    const text = `SELECT '${table}' AS place, record_head, record_tail, toString(record_hash) AS hash, ${column} AS address
FROM ${table} FINAL ORDER BY transaction_id`;
    expect(createView === undefined).toBe(table === 'transactions');
    return await engine.rows(select(ANY_ROW, plainStatement(text)));
  });
  return (await Promise.all(tables)).flat();
}

/** The data version of each table, from which tags are made. */
async function versionsIn({ engine }: Database): Promise<readonly unknown[]> {
  const selection = {
    role: 'admin',
    dateField: 'created_at',
    from: 0,
    until: 2 ** 31,
    programIds: 'all',
    publisherIds: 'all',
    filters: [],
  } as const;
  const of = new TableVersions(engine);
  return await Promise.all(TRANSACTION_TABLES.map(({ table }) => of.versionOf(selection, [table])));
}

const migrateTo = async (store: Store, addresses: AddressVisibility | undefined) => {
  const announced: string[] = [];
  const done = await migrateDatabase({ url: store.url, timeZone, addresses }, undefined, (line) =>
    announced.push(line),
  );
  return { done, announced };
};

describe.each(TESTED_STORES)('on the store %s', (kind) => {
  let directory: string;
  let store: Store;
  /** For each setting, the records of a database whose rows were imported with it. */
  const wanted = new Map<AddressVisibility, readonly unknown[]>();

  beforeEach(async () => {
    directory = await mkdtemp(join(home, 'store-'));
    store = await openStore(kind, directory, timeZone);
  });

  afterEach(async () => await store.close());

  async function using<Result>(use: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await openDatabase({ url: store.url, timeZone });
    try {
      return await use(database);
    } finally {
      await database.engine.close();
    }
  }

  /** The records of a new database that has had this setting from the start. */
  async function recordsImportedWith(addresses: AddressVisibility): Promise<readonly unknown[]> {
    const known = wanted.get(addresses);
    if (known !== undefined) return known;
    const other = await mkdtemp(join(home, 'fresh-'));
    const fresh = await openStore('embedded', other, timeZone);
    const database = await openDatabase({ url: fresh.url, timeZone, addresses });
    await importRows(database);
    const records = await recordsIn(database.engine);
    await database.engine.close();
    wanted.set(addresses, records);
    return records;
  }

  /** The records as above, of each role from a database in which everybody has the setting of this role. */
  async function recordsWanted({ admin, affiliate }: AddressVisibility) {
    const records = await recordsImportedWith(EVERYBODY[admin]);
    const ofAffiliates = await recordsImportedWith(EVERYBODY[affiliate]);
    return records.map((row, at) => (isOfAffiliates(row) ? ofAffiliates[at] : row));
  }

  /** Expects a new data version of each table, so that every tag changes. */
  async function expectNewVersions(before: readonly unknown[]): Promise<void> {
    const after = await using(versionsIn);
    for (const [at, version] of after.entries()) expect(version).not.toBe(before[at]);
  }

  test('a change renders all records as an import with the new setting does', async () => {
    const { before, versions } = await using(async (database) => {
      await importRows(database);
      return { before: await recordsIn(database.engine), versions: await versionsIn(database) };
    });
    // In `npm test`, these records stand for those of a new database with full addresses.
    if (IS_FULL) expect(before).toEqual(await recordsImportedWith(FULL_ADDRESSES));
    else wanted.set(FULL_ADDRESSES, before);
    for (const addresses of STEPS) {
      const { done, announced } = await migrateTo(store, addresses);
      expect(done).toEqual([expect.stringContaining('IP addresses: affiliate=')]);
      expect(announced).toEqual([expect.stringMatching(/: \d+ rows in 2 months/)]);
      const after = await using(({ engine }) => recordsIn(engine));
      expect(after).toEqual(await recordsWanted(addresses));
      if (!Object.values(addresses).includes('full'))
        expect(JSON.stringify(after)).not.toMatch(HIDDEN_PART);
      expect(await migrateTo(store, undefined)).toEqual({ done: [], announced: [] });
    }
    if (!IS_FULL) await expectNewVersions(versions);
  });

  // Only in the full run. In `npm test`, the test above changes one role first.
  testInFull('a change for one role leaves the other role alone', async () => {
    await using(importRows);
    const addresses = { admin: 'full', affiliate: 'masked' } as const;
    await migrateTo(store, addresses);
    const records = await using(({ engine }) => recordsIn(engine));
    expect(records).toEqual(await recordsWanted(addresses));
  });

  // Only in the full run. In `npm test`, the first test of this file compares the data versions.
  testInFull('a change gives every response that it changes another tag', async () => {
    await using(importRows);
    const before = await using(versionsIn);
    await migrateTo(store, EVERYBODY.masked);
    await expectNewVersions(before);
  });

  // Only in the full run. In `npm test`, page.test.ts checks the refusal and the command that its message names.
  testInFull('a setting other than that of the database is refused with advice', async () => {
    await using(importRows);
    const opening = openDatabase({ url: store.url, timeZone, addresses: EVERYBODY.masked });
    await expect(opening).rejects.toMatchObject({
      message:
        'The records in the database were written with IP_ADDRESSES="affiliate=full, admin=full", but IP_ADDRESSES is affiliate=masked, admin=masked.',
      next: expect.stringContaining('transactions migrate'),
    });
    expect(await using(({ engine }) => storedAddressVisibility(engine))).toEqual({
      visibility: FULL_ADDRESSES,
      isPending: false,
    });
  });

  test('a change that stops anywhere is finished by the next migration', async () => {
    await using(importRows);
    // Before the database is opened, as a process opens one at a time. After that, these records are known.
    for (const addresses of [FULL_ADDRESSES, EVERYBODY.masked])
      await recordsImportedWith(addresses);
    let stopped = 0;
    // A full run stops at every second statement, on servers at every eighth, from a random one on. `npm test` stops
    // at one in the middle.
    const stride = kind === 'embedded' ? 2 : 8;
    let at = fullOrShort(1 + (SEED % stride), 32);
    const isFinishedAfter = async (
      database: Database,
      isLast: IsLast,
      [from, to]: readonly [AddressVisibility, AddressVisibility] = [
        FULL_ADDRESSES,
        EVERYBODY.masked,
      ],
    ): Promise<boolean> => {
      await change(database, database.engine, from);
      const before = await restartIn(database);
      if (!(await changeUntil(database, to, isLast))) return false;
      stopped += 1;
      const { isPending } = await storedAddressVisibility(database.engine);
      const importing = importRows(database);
      if (isPending) await expect(importing).rejects.toThrow('are being rewritten');
      else await importing;
      await change(database, database.engine, isPending ? undefined : to);
      const expected = await recordsImportedWith(to);
      expect(await recordsIn(database.engine), `stopped at ${at}`).toEqual(expected);
      // Readers of the change feed begin again with a list, wherever the change stopped.
      expect(await restartIn(database), `stopped at ${at}`).toBeGreaterThan(before);
      return true;
    };
    await using(async (database) => {
      const isFinished = async () => await isFinishedAfter(database, (executed) => executed >= at);
      while ((await isFinished()) && IS_FULL) at += stride;
      // In `npm test`, the last change goes back, which saves a change in between.
      const back = [EVERYBODY.masked, FULL_ADDRESSES] as const;
      const isRestart: IsLast = (_, text) => text.includes("'restarted'");
      await isFinishedAfter(database, isRestart, fullOrShort(undefined, back));
    });
    expect(stopped).toBeGreaterThan(fullOrShort(2, 1));
  });
});

/** The engine of a database that other processes may write to, as on a server. */
const asOnServer = (engine: Engine): Engine =>
  watchedEngine(
    engine,
    async (server, statement, watch) => await server.execute(statement, watch),
    { isShared: true },
  );

test('a change fails while an import is running or an erasure has not ended, and changes nothing', async () => {
  const directory = await mkdtemp(join(home, 'shared-'));
  const store = await openStore(fullOrShort('server', 'embedded'), directory, timeZone);
  const database = await openDatabase({ url: store.url, timeZone });
  const engine = asOnServer(database.engine);
  const nodes = await clusterNodesOf(engine, database.topology);
  await createStaging(nodes, stagingOf('ab'), FULL_ADDRESSES);
  const changing = async () => await change(database, engine, EVERYBODY.masked);
  await expect(changing()).rejects.toThrow('an import is running');
  await dropStaging(nodes, stagingOf('ab'));
  await engine.execute(
    plainStatement("INSERT INTO erasures SELECT 'ef', 'empty', 'erasing', now64(3, 'UTC')"),
  );
  await expect(changing()).rejects.toThrow('an erasure has not ended');
  expect(await storedAddressVisibility(engine)).toEqual({
    visibility: FULL_ADDRESSES,
    isPending: false,
  });
  await database.engine.close();
  await store.close();
});

const change = async (
  { topology }: Database,
  engine: Engine,
  wanted: AddressVisibility | undefined,
) =>
  await changeAddressVisibility(await clusterNodesOf(engine, topology), {
    timeZone,
    wanted,
    announce: () => undefined,
  });

/** The number from which readers of the change feed begin again with a list. */
async function restartIn({ engine }: Database): Promise<number> {
  const [head] = await engine.rows(headStatement());
  return head?.restarted ?? 0;
}

/** Whether a change stops at a statement: by its number, from 1, and its text. */
type IsLast = (executed: number, text: string) => boolean;

/** Changes the addresses, and fails at the first of these statements. False if the change has none of them. */
async function changeUntil(
  database: Database,
  wanted: AddressVisibility,
  isLast: IsLast,
): Promise<boolean> {
  let executed = 0;
  const failing = watchedEngine(database.engine, async (server, statement, watch) => {
    executed += 1;
    if (isLast(executed, statement.text)) throw new Error('stopped');
    await server.execute(statement, watch);
  });
  const isStopped = await change(database, failing, wanted).then(
    () => false,
    () => true,
  );
  // Ends the lease of the killed process, which would end by itself later.
  await endAbandonedLease(await clusterNodesOf(database.engine, database.topology));
  return isStopped;
}

test('a change of an empty database makes no reader of the change feed begin again', async () => {
  const { url } = await openStore('embedded', await mkdtemp(join(home, 'empty-')), timeZone);
  const first = await openDatabase({ url, timeZone });
  const before = await restartIn(first);
  await first.engine.close();
  const database = await openDatabase({ url, timeZone, addresses: EVERYBODY.masked });
  expect(database.addresses).toEqual({ visibility: EVERYBODY.masked, isPending: false });
  expect(await restartIn(database)).toBe(before);
  await database.engine.close();
});

describe('in one database', () => {
  let database: Database;

  beforeAll(async () => {
    const { url } = await openStore('embedded', await mkdtemp(join(home, 'one-')), timeZone);
    database = await openDatabase({ url, timeZone });
    await importRows(database);
  });

  afterAll(async () => await database.engine.close());

  test('a change whose lease ends while it renders a month leaves no draft behind', async () => {
    const nodes = await clusterNodesOf(database.engine, database.topology);
    const engine = watchedEngine(database.engine, async (server, statement, watch) => {
      await server.execute(statement, watch);
      if (statement.text.startsWith('INSERT INTO addresses_draft')) await endAbandonedLease(nodes);
    });
    const changing = change(database, engine, EVERYBODY.masked);
    await expect(changing).rejects.toThrow('The change of IP_ADDRESSES has stopped');
    const drafts = "SELECT name FROM system.tables WHERE name LIKE 'addresses_draft%'";
    expect(await database.engine.rows(select(ANY_ROW, plainStatement(drafts)))).toEqual([]);
  });

  test('a change whose lease ends after its last month stays pending', async () => {
    const before = await restartIn(database);
    const nodes = await clusterNodesOf(database.engine, database.topology);
    let dropped = 0;
    const engine = watchedEngine(database.engine, async (server, statement, watch) => {
      await server.execute(statement, watch);
      if (!statement.text.startsWith('DROP TABLE IF EXISTS addresses_draft')) return;
      dropped += 1;
      // The draft of each table is dropped before it is created, and at the end.
      if (dropped === 2 * TRANSACTION_TABLES.length) await endAbandonedLease(nodes);
    });
    const changing = change(database, engine, EVERYBODY.masked);
    await expect(changing).rejects.toThrow('The change of IP_ADDRESSES has stopped');
    expect(await storedAddressVisibility(database.engine)).toMatchObject({ isPending: true });
    expect(await restartIn(database)).toBe(before);
  });

  test('a change is refused while another process makes one, and no row is lost', async () => {
    const before = await recordsIn(database.engine);
    const others: Promise<unknown>[] = [];
    const engine = watchedEngine(
      database.engine,
      async (server, statement, watch) => {
        await server.execute(statement, watch);
        if (others.length > 0 || !statement.text.startsWith('INSERT INTO addresses_draft')) return;
        others.push(change(database, engine, undefined));
        await Promise.allSettled(others);
      },
      { isShared: true },
    );
    await change(database, engine, EVERYBODY.masked);
    expect(others).toHaveLength(1);
    await expect(others[0]).rejects.toThrow('another process is changing IP_ADDRESSES');
    expect(await recordsIn(database.engine)).toHaveLength(before.length);
    const { topology } = database;
    // Otherwise, the next `transactions migrate` would refuse to do nothing while an import is running.
    expect(await isMigrationDue(database.engine, timeZone, topology, EVERYBODY.masked)).toBe(false);
  });
});

test('every visibility is tested', () => {
  expect(Object.keys(EVERYBODY)).toEqual([...VISIBILITIES]);
});

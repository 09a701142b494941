import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrateDatabase } from '../../src/database/migrate-database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { openStore, START } from '../support/databases/stores.ts';
import { type StoreKind, TESTED_STORES } from '../support/databases/tested-stores.ts';
import { registerClose } from '../support/run/left-open.ts';
import { fullOrShort } from '../support/run/test-extent.ts';
import { CLUSTER } from '../support/servers/clickhouse-cluster.ts';

const TIME_ZONE = 'Europe/Paris';

const COPIES = fullOrShort(['one', 'other'], ['one']);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-copied-'));
});

afterEach(async () => await rm(directory, { recursive: true, force: true }));

/** The tables and migrations on each server, and the key of cursors. */
async function definitionsAt(url: string) {
  const { engine, keys } = await openDatabase({ url, timeZone: undefined });
  const close = registerClose(async () => await engine.close());
  const ask = async (text: string) =>
    await Promise.all(
      engine.each().map(async (server) => await server.rows(select(ANY_ROW, plainStatement(text)))),
    );
  const tables = await ask(`SELECT name, engine, create_table_query, total_rows
FROM system.tables WHERE database = currentDatabase() ORDER BY name`);
  const migrations = await ask('SELECT version, name FROM migrations ORDER BY version');
  await close();
  return { defined: { tables, migrations }, cursorKey: keys.cursors };
}

/** A database with tables that were migrated, not copied. */
async function migrated(kind: StoreKind) {
  const place = join(directory, 'migrated');
  const settings = (url: string) => ({ url, timeZone: TIME_ZONE });
  if (kind === 'embedded') {
    await migrateDatabase(settings(`chdb:${place}`));
    return await definitionsAt(`chdb:${place}`);
  }
  const store = await START[kind](place);
  await migrateDatabase(settings(store.url), kind === 'cluster' ? CLUSTER : undefined);
  const definitions = await definitionsAt(store.url);
  await store.close();
  return definitions;
}

async function copied(kind: StoreKind, name: string) {
  const store = await openStore(kind, join(directory, name), TIME_ZONE);
  const definitions = await definitionsAt(store.url);
  await store.close();
  return definitions;
}

test.each(TESTED_STORES)(
  'a copied database on the store %s equals a migrated one, with another cursor key',
  async (kind) => {
    const { defined, cursorKey } = await migrated(kind);
    expect(JSON.stringify(defined)).toContain('affiliate_transactions_feed');
    const cursorKeys = new Set([String(cursorKey)]);
    for (const name of COPIES) {
      const copy = await copied(kind, name);
      expect(copy.defined).toEqual(defined);
      cursorKeys.add(String(copy.cursorKey));
    }
    expect(cursorKeys.size).toBe(1 + COPIES.length);
  },
);

/** Creates test databases on real stores: embedded, on one server, or on a cluster. */

import { join } from 'node:path';
import { readDatabaseUrl } from '../../../src/database/database-url.ts';
import { migrateDatabase } from '../../../src/database/migrate-database.ts';
import { ClickHouseEngine } from '../../../src/engine/clickhouse/clickhouse-engine.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { ensureKeys } from '../../../src/store/secret-keys.ts';
import { CLUSTER, ClickHouseCluster } from '../servers/clickhouse-cluster.ts';
import { ClickHouseServer } from '../servers/clickhouse-server.ts';
import { newDatabase, putCopy } from './copied-database.ts';
import type { StoreKind } from './tested-stores.ts';

export interface Store {
  /** The value of `DATABASE_URL`. */
  readonly url: string;
  /** The servers of a cluster. */
  readonly cluster?: ClickHouseCluster;
  close(): Promise<void>;
}

/** A new database with the service's tables. An embedded one may have rows from the start. */
export async function openStore(
  kind: StoreKind,
  directory: string,
  timeZone: string,
  makeEmbedded = newDatabase,
): Promise<Store> {
  if (kind === 'embedded') {
    await makeEmbedded(join(directory, 'db'), timeZone);
    return { url: `chdb:${join(directory, 'db')}`, async close() {} };
  }
  const place = join(directory, kind);
  await putCopy(`${kind}-${timeZone}`, place, async (draft) => {
    const store = await START[kind](draft);
    await makeTables(kind, store.url, timeZone);
    await store.close();
  });
  const store = await START[kind](place);
  // The copied template has no keys, because each database must have its own.
  await withEngine(store.url, ensureKeys);
  return store;
}

/** Starts a store on a directory, which may be empty. */
export const START = {
  async server(directory) {
    const server = await ClickHouseServer.start(directory);
    await fetch(server.url, { method: 'POST', body: 'CREATE DATABASE IF NOT EXISTS reports' });
    const url = `clickhouse://default@${server.url.slice('http://'.length)}/reports`;
    return { url, close: async () => await server.kill() };
  },
  async cluster(directory) {
    const cluster = await ClickHouseCluster.start(directory);
    return { url: cluster.address(), cluster, close: async () => await cluster.close() };
  },
} as const satisfies Record<Exclude<StoreKind, 'embedded'>, (directory: string) => Promise<Store>>;

async function makeTables(kind: keyof typeof START, url: string, timeZone: string): Promise<void> {
  await migrateDatabase({ url, timeZone }, kind === 'cluster' ? CLUSTER : undefined);
  const keys = kind === 'cluster' ? 'keys_local' : 'keys';
  await withEngine(url, async (engine) => {
    for (const server of engine.each())
      await server.execute(plainStatement(`TRUNCATE TABLE ${keys}`));
  });
}

async function withEngine(url: string, use: (engine: Engine) => Promise<unknown>): Promise<void> {
  const address = readDatabaseUrl(url);
  if (address.kind === 'chdb') throw new TypeError(url);
  const engine = new ClickHouseEngine(address.servers);
  await use(engine);
  await engine.close();
}

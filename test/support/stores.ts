/** The places where a database may be, each of them a real one. */

import { join } from 'node:path';
import { migrateDatabase } from '../../src/operator/migrate-database.ts';
import { CLUSTER, ClickHouseCluster } from './clickhouse-cluster.ts';
import { ClickHouseServer } from './clickhouse-server.ts';
import { newDatabase } from './copied-database.ts';

export const STORES = ['embedded', 'server', 'cluster'] as const;

export type StoreKind = (typeof STORES)[number];

export interface Store {
  /** What `DATABASE_URL` says to reach it. */
  readonly url: string;
  /** The servers, where they are several. */
  readonly cluster?: ClickHouseCluster;
  close(): Promise<void>;
}

/** A new database with the service's tables. */
export async function openStore(
  kind: StoreKind,
  directory: string,
  timeZone: string,
): Promise<Store> {
  if (kind === 'embedded') {
    await newDatabase(join(directory, 'db'), timeZone);
    return { url: `chdb:${join(directory, 'db')}`, async close() {} };
  }
  if (kind === 'server') {
    const server = await ClickHouseServer.start(join(directory, 'server'));
    await fetch(server.url, { method: 'POST', body: 'CREATE DATABASE reports' });
    const url = `clickhouse://default@${server.url.slice('http://'.length)}/reports`;
    await migrateDatabase({ url, timeZone });
    return { url, close: async () => await server.kill() };
  }
  const cluster = await ClickHouseCluster.start(join(directory, 'cluster'));
  const url = cluster.address();
  await migrateDatabase({ url, timeZone }, CLUSTER);
  return { url, cluster, close: async () => await cluster.close() };
}

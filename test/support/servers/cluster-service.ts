/** A database on a cluster, and `transactions serve` in a separate process. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewToken } from '../../../src/auth/new-token.ts';
import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { ImportReport } from '../../../src/ingest/import-report.ts';
import { openStore } from '../databases/stores.ts';
import {
  type Outcome,
  runCommand,
  type ServingCommand,
  startServing,
} from '../programs/command.ts';
import type { ClickHouseCluster } from './clickhouse-cluster.ts';

export interface ClusterService {
  readonly cluster: ClickHouseCluster;
  readonly engine: Engine;
  /** Works in this process. */
  readonly operator: LocalOperator;
  readonly directory: string;
  readonly serving: ServingCommand;
  /** The sum of a metric over its labels. */
  metric(name: string): Promise<number>;
  token(order: Partial<NewToken>): Promise<string>;
  /** Runs a command on the database, in another process. */
  run(args: readonly string[], input?: string): Promise<Outcome>;
  /** Imports the text of a file in this process. */
  importText(text: string): Promise<ImportReport>;
  close(): Promise<void>;
}

export async function serveCluster(): Promise<ClusterService> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-cluster-'));
  const { url, cluster } = await openStore('cluster', directory, 'Europe/Paris');
  if (cluster === undefined) throw new TypeError('There is no cluster.');
  const database = await openDatabase({ url, timeZone: undefined });
  const operator = new LocalOperator(database);
  const surroundings = { directory, environment: { DATABASE_URL: url } };
  const serving = await startServing(['serve', '--port', '0'], {
    ...surroundings,
    environment: { ...surroundings.environment, ADMIN_ADDRESS: '127.0.0.1:0' },
  });
  return {
    cluster,
    engine: database.engine,
    operator,
    directory,
    serving,
    async metric(name) {
      const lines = (await (await fetch(metricsOf(serving))).text()).split('\n');
      const values = lines.filter((line) => new RegExp(`^${name}[{ ]`).test(line));
      return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    async token(order) {
      const everything = { role: 'admin', publisherIds: [], programIds: [] } as const;
      return (await operator.createToken({ ...everything, ...order })).token;
    },
    run: async (args, input) => await runCommand(args, surroundings, input),
    async importText(text) {
      const path = join(directory, 'file.csv');
      await writeFile(path, text);
      const files = [{ path, name: 'file.csv' }];
      return await operator.importFiles({ files, round: false, rejects: false }, {});
    },
    async close() {
      await serving.stop();
      await operator.close();
      await cluster.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The URL of the metrics, from the log of the service. */
function metricsOf({ log }: ServingCommand): string {
  const lines = log.map((line) => JSON.parse(line) as { readonly metrics?: string });
  return lines.find(({ metrics }) => metrics !== undefined)?.metrics ?? '';
}

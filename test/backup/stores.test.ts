import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { BackupPlace } from '../../src/backup/backup-place.ts';
import { restore } from '../../src/backup/restore.ts';
import { FULL_ADDRESSES } from '../../src/contract/record/address-visibility.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { restoreDatabase } from '../../src/database/restore-database.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { NEVER_ABORTED } from '../../src/engine/never-aborted.ts';
import { recoverImports } from '../../src/ingest/staging/recover-others.ts';
import { stagingsIdleFor } from '../../src/ingest/staging/staging.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { listTokens } from '../../src/store/token-table.ts';
import { openStore, type Store } from '../support/databases/stores.ts';
import { STORES } from '../support/databases/tested-stores.ts';
import { visibleCounts } from '../support/databases/visible-counts.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';
import { CLUSTER } from '../support/servers/clickhouse-cluster.ts';

// Only in the full run. In `npm test`, backup.test.ts restores an embedded database.

const BATCH = 20;
const BATCHES = 4;

const ZONE = 'Europe/Paris';
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-stores-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

const placeOf = (name: string): BackupPlace => ({
  kind: 'directory',
  name,
  path: join(directory, name),
});

const batch = (): string =>
  csv(Array.from({ length: BATCH }, (_, at) => fileRow({ publisher_id: 100 + at })));

const fingerprintOf = async (engine: Engine, table = 'transactions') =>
  await engine.rows(
    select(ANY_ROW, plainStatement(`SELECT count(), sum(record_hash) FROM ${table} FINAL`)),
  );

/** The rows of each server of a cluster. */
const fingerprintsOf = async (engine: Engine) =>
  await Promise.all(engine.each().map((server) => fingerprintOf(server, 'transactions_local')));

describe.each(STORES)('%s', (kind) => {
  let service: TestService;
  let copy: Store | undefined;

  beforeAll(async () => {
    service = await startService({ store: kind, timeZone: ZONE });
    await service.importText(batch());
  });

  afterAll(async () => {
    await service.close();
    await copy?.close();
  });

  test('a backup during imports has each import whole or not at all', async () => {
    const importing = (async () => {
      for (let round = 1; round < BATCHES; round += 1) await service.importText(batch());
    })();
    const backup = await service.operator.backUp(
      { to: placeOf(`${kind}-busy`) },
      { signal: NEVER_ABORTED },
    );
    await importing;
    expect(backup.transactions).toBeGreaterThanOrEqual(BATCH);
    expect(backup.transactions % BATCH).toBe(0);
  });

  test('a backup is restored with the same fingerprints and tokens', async () => {
    await service.token({});
    const expected = await fingerprintOf(service.database.engine);
    const base = placeOf(`${kind}-busy`);
    const to = placeOf(`${kind}-last`);
    const report = await service.operator.backUp({ to, base }, { signal: NEVER_ABORTED });
    expect(report).toMatchObject({ transactions: BATCH * BATCHES, tokens: 1 });
    if (kind === 'embedded') return;
    copy = await openStore(kind, join(directory, 'copy'), ZONE);
    const settings = { url: copy.url, timeZone: undefined };
    await restoreDatabase(settings, to, { signal: NEVER_ABORTED });
    await expect(restoreDatabase(settings, to, { signal: NEVER_ABORTED })).rejects.toThrow(
      'not empty',
    );
    const database = await openDatabase(settings);
    const rows = BATCH * BATCHES;
    expect(await visibleCounts(database.engine)).toEqual({
      admin: rows,
      affiliate: rows,
      left: [],
    });
    expect(await fingerprintOf(database.engine)).toEqual(expected);
    expect(await listTokens(database.engine)).toHaveLength(1);
    expect(database.keys).toEqual(service.database.keys);
    await database.engine.close();
  });

  test('an interrupted restore of replicated tables is finished only with the replica that has its rows', async () => {
    if (kind !== 'cluster') return;
    const from = placeOf('replicated');
    await service.operator.backUp({ to: from }, { signal: NEVER_ABORTED });
    const other = await openStore(kind, join(directory, 'replicated-copy'), ZONE);
    const database = await openDatabase({ url: other.url, timeZone: undefined });
    let isInterrupted = false;
    const engine = watchedEngine(database.engine, async (server, statement, watch) => {
      // The servers have no Keeper, so that the second replica of each shard stays empty.
      if (statement.text.startsWith('SYSTEM SYNC REPLICA')) return;
      const isFirst = !isInterrupted && statement.text.includes('ATTACH PARTITION');
      isInterrupted ||= isFirst;
      if (isFirst) throw new Error('stopped');
      await server.execute(statement, watch);
    });
    try {
      const nodes = await clusterNodesOf(engine, {
        cluster: { name: CLUSTER, isReplicated: true },
      });
      const deps = { nodes, timeZone: ZONE, addresses: FULL_ADDRESSES };
      await expect(restore(deps, from, { signal: NEVER_ABORTED })).rejects.toThrow('stopped');
      const [, replica, ...others] = nodes.servers;
      if (replica === undefined) throw new TypeError('There are four servers.');
      const left = { ...nodes, engine: replica, servers: [replica, ...others] };
      await expect(recoverImports(left)).rejects.toThrow('missing in shard 1');
      await recoverImports(nodes);
      expect(await stagingsIdleFor(nodes, 0)).toEqual([]);
      const [first, empty, second] = await fingerprintsOf(engine);
      const original = await fingerprintsOf(service.database.engine);
      expect([first, second]).toEqual([original[0], original[2]]);
      expect(empty).not.toEqual(first);
    } finally {
      await database.engine.close();
      await other.close();
    }
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { type Database, openDatabase } from '../../src/database/open-database.ts';
import { refuseDamage } from '../../src/erasure/damaged-months.ts';
import { createStaging, dropStaging, stagingOf } from '../../src/ingest/staging/staging.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { openStore } from '../support/databases/stores.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { BYTES_OF_PERSON, PERSON, personRow } from '../support/rows/person.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';
import { filesWith } from './raw-files.ts';

const MONTHS = fullOrShort(['2026-01-10 12:00:00', '2026-02-10 12:00:00'], ['2026-02-10 12:00:00']);
/** Websites on both shards. */
const PUBLISHERS = [100, 101];
const EVERYWHERE = MONTHS.flatMap((created_at) =>
  PUBLISHERS.map((publisher_id) => ({ created_at, publisher_id })),
);

const PLACES = EVERYWHERE.length;

const PLACE = v.object({ host: v.string(), path: v.string() });

const ORDER = {
  selectors: [{ field: 'clickid', values: [PERSON.clickid] }],
  mode: 'empty',
} as const;

const REMOVAL = {
  selectors: [{ field: 'clickid', values: ['to be removed'] }],
  mode: 'remove',
} as const;

/** The time zone that other tests use too, so that all of them copy the same prepared database. */
const TIME_ZONE = 'Europe/Paris';

async function openedOn(kind: 'server' | 'cluster') {
  const home = await mkdtemp(join(tmpdir(), `transactions-erasure-`));
  const store = await openStore(kind, home, TIME_ZONE);
  const database = await openDatabase({ url: store.url, timeZone: TIME_ZONE });
  const operator = new LocalOperator(database);
  onTestFinished(async () => {
    await operator.close();
    await store.close();
    await rm(home, { recursive: true, force: true });
  });
  const path = join(home, 'file.csv');
  return {
    operator,
    database,
    directory: join(home, kind),
    async importRows(rows: readonly FileRow[]) {
      await writeFile(path, csv(rows));
      const files = [{ path, name: 'file.csv' }];
      return await operator.importFiles({ files, round: false, rejects: false }, {});
    },
    shown: async (condition: string) => {
      const text = `SELECT count() AS rows FROM transactions FINAL WHERE ${condition}`;
      const [row] = await database.engine.rows(select(ANY_ROW, plainStatement(text)));
      return Number((row as { rows: number | string }).rows);
    },
  };
}

/** Runs something while another process seems to import. */
async function importing({ engine, topology, addresses }: Database, run: () => Promise<void>) {
  const nodes = await clusterNodesOf(engine, topology);
  const staging = stagingOf('ab');
  await createStaging(nodes, staging, addresses.visibility);
  await run();
  await dropStaging(nodes, staging);
}

/** `npm test` has only the cluster. erasure.test.ts erases on the embedded store. */
const STORES = fullOrShort<readonly ('server' | 'cluster')[]>(['server', 'cluster'], ['cluster']);

test.each(STORES)(
  'on a %s, an erasure is refused during an import, leaves no value in any file, and an old file brings none back',
  async (kind) => {
    const { operator, database, directory, importRows, shown } = await openedOn(kind);
    const others = EVERYWHERE.map((place) => fileRow({ ...place, clickid: 'another' }));
    const emptied = EVERYWHERE.map((place) => personRow(place));
    const removed = fullOrShort(EVERYWHERE, []).map((place) =>
      personRow({ ...place, clickid: 'to be removed' }),
    );
    const rows = [...others, ...emptied, ...removed];
    expect(await importRows(rows)).toMatchObject({ imported: rows.length });
    expect((await filesWith(directory, BYTES_OF_PERSON)).length).toBeGreaterThan(20);
    // Only in the full run. In `npm test`, unfinished.test.ts refuses an erasure during an import.
    if (IS_FULL) {
      await importing(database, async () => {
        await expect(operator.erase(ORDER)).rejects.toThrow('import is under way');
      });
    }
    const { groups } = await operator.erase(ORDER);
    expect(groups).toHaveLength(MONTHS.length);
    // Only in the full run. In `npm test`, erasure.test.ts removes rows of the embedded store.
    if (IS_FULL) await operator.erase(REMOVAL);
    expect(await filesWith(directory, [...BYTES_OF_PERSON, 'to be removed'])).toEqual([]);
    expect([await shown('true'), await shown('clickid IS NULL')]).toEqual([2 * PLACES, PLACES]);
    // Only in the full run. In `npm test`, erasure.test.ts imports an old file again.
    if (!IS_FULL) return;
    expect(await importRows(rows)).toMatchObject({
      rows: rows.length,
      imported: 2 * PLACES,
      emptied: PLACES,
      removed: removed.length,
    });
    expect([await shown('true'), await shown('clickid IS NULL')]).toEqual([2 * PLACES, PLACES]);
    expect(await filesWith(directory, [...BYTES_OF_PERSON, 'to be removed'])).toEqual([]);
  },
);

test('the refusal because of damaged files on a cluster names the server, and for replicas another remedy', async () => {
  const { operator, database } = await openedOn('cluster');
  const [, server] = database.engine.each();
  const found =
    plainStatement(`SELECT concat(hostName(), ':', toString(tcpPort())) AS host, data_paths[1] AS path
FROM system.tables WHERE database = currentDatabase() AND name = 'transactions_local'`);
  const [place] = (await server?.rows(select(PLACE, found))) ?? [];
  const path = join(place?.path ?? '', 'detached', 'broken-on-start_202601_1_1_0');
  await mkdir(path);
  const message = expect.stringContaining(`month 2026-01 (on ${place?.host}, ${path}`);
  const next = expect.stringContaining('Restore a backup');
  await expect(operator.erase(ORDER)).rejects.toMatchObject({ message, next });
  const topology = { cluster: { name: 'any', isReplicated: true } };
  const nodes = { ...(await clusterNodesOf(database.engine, database.topology)), topology };
  const ofReplicas = expect.stringContaining('from another replica');
  await expect(refuseDamage(nodes)).rejects.toMatchObject({ message, next: ofReplicas });
});

// Only in the full run. In `npm test`, crashes.test.ts interrupts erasures on the embedded store.
testInFull('an erasure on a server that was interrupted is completed by the next one', async () => {
  const { operator, database, directory, importRows } = await openedOn('server');
  await importRows(EVERYWHERE.map(personRow));
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (statement.text.startsWith('OPTIMIZE')) throw new Error('The process died.');
    await server.execute(statement, watch);
  });
  await expect(new LocalOperator({ ...database, engine }).erase(ORDER)).rejects.toThrow('died');
  // The last heartbeat is too recent to tell whether the process is dead.
  await expect(operator.erase(ORDER)).rejects.toThrow('Another erasure is under way');
  const run = async (text: string) => await database.engine.execute(plainStatement(text));
  await run('CREATE TABLE former ENGINE = Memory AS SELECT id, mode, state FROM erasures FINAL');
  await run('TRUNCATE TABLE erasures');
  await run(
    "INSERT INTO erasures SELECT id, mode, state, now64(3, 'UTC') - INTERVAL 2 MINUTE FROM former",
  );
  expect(await operator.erase(ORDER)).toMatchObject({ groups: [] });
  expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
});

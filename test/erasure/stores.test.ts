import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createStaging, dropStaging, stagingOf } from '../../src/ingest/staging/staging.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { command } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { openStore } from '../support/databases/stores.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { csv } from '../support/rows/csv.ts';
import { type FileRow, fileRow } from '../support/rows/file-rows.ts';
import { BYTES_OF_PERSON, PERSON, personRow } from '../support/rows/person.ts';
import { inFull } from '../support/run/test-extent.ts';
import { filesWith } from './raw-files.ts';

const MONTHS = inFull(['2026-01-10 12:00:00', '2026-02-10 12:00:00'], ['2026-02-10 12:00:00']);
/** Websites on both shards. */
const PUBLISHERS = [100, 101];
const EVERYWHERE = MONTHS.flatMap((created_at) =>
  PUBLISHERS.map((publisher_id) => ({ created_at, publisher_id })),
);

const PLACES = EVERYWHERE.length;

const ORDER = {
  selectors: [{ field: 'clickid', values: [PERSON.clickid] }],
  mode: 'empty',
} as const;

async function openedOn(kind: 'server' | 'cluster') {
  const home = await mkdtemp(join(tmpdir(), `transactions-erasure-`));
  const store = await openStore(kind, home, 'UTC');
  const database = await openDatabase({ url: store.url, timeZone: 'UTC' });
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
      const [row] = await database.engine.rows(select(ANY_ROW, command(text)));
      return Number((row as { rows: number | string }).rows);
    },
  };
}

/** In the short form, the next test erases on a server. */
const STORES = inFull<readonly ('server' | 'cluster')[]>(['server', 'cluster'], ['cluster']);

test.each(STORES)(
  'on a %s, an erasure leaves no value in any file, and an old file does not bring it back',
  async (kind) => {
    const { operator, directory, importRows, shown } = await openedOn(kind);
    const others = EVERYWHERE.map((place) => fileRow({ ...place, clickid: 'another' }));
    const emptied = EVERYWHERE.map((place) => personRow(place));
    const removed = EVERYWHERE.map((place) => personRow({ ...place, clickid: 'to be removed' }));
    const rows = [...others, ...emptied, ...removed];
    expect(await importRows(rows)).toMatchObject({ imported: 3 * PLACES });
    expect((await filesWith(directory, BYTES_OF_PERSON)).length).toBeGreaterThan(20);
    const byClick = (value: string) => [{ field: 'clickid', values: [value] }] as const;
    await operator.erase({ selectors: byClick(PERSON.clickid), mode: 'empty' });
    await operator.erase({ selectors: byClick('to be removed'), mode: 'remove' });
    expect(await filesWith(directory, [...BYTES_OF_PERSON, 'to be removed'])).toEqual([]);
    expect([await shown('true'), await shown('clickid IS NULL')]).toEqual([2 * PLACES, PLACES]);
    expect(await importRows(rows)).toMatchObject({
      rows: 3 * PLACES,
      imported: 2 * PLACES,
      emptied: PLACES,
      removed: PLACES,
    });
    expect([await shown('true'), await shown('clickid IS NULL')]).toEqual([2 * PLACES, PLACES]);
    expect(await filesWith(directory, [...BYTES_OF_PERSON, 'to be removed'])).toEqual([]);
  },
);

test('an erasure on a server that was interrupted is completed by the next one', async () => {
  const { operator, database, directory, importRows } = await openedOn('server');
  await importRows(EVERYWHERE.map(personRow));
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (statement.text.startsWith('OPTIMIZE')) throw new Error('The process died.');
    await server.execute(statement, watch);
  });
  await expect(new LocalOperator({ ...database, engine }).erase(ORDER)).rejects.toThrow('died');
  // Its last sign of life is too young to tell whether the process is dead.
  await expect(operator.erase(ORDER)).rejects.toThrow('Another erasure is under way');
  const run = async (text: string) => await database.engine.execute(command(text));
  await run('CREATE TABLE former ENGINE = Memory AS SELECT id, mode, state FROM erasures FINAL');
  await run('TRUNCATE TABLE erasures');
  await run(
    "INSERT INTO erasures SELECT id, mode, state, now64(3, 'UTC') - INTERVAL 2 MINUTE FROM former",
  );
  expect(await operator.erase(ORDER)).toMatchObject({ groups: [] });
  expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
});

test('an erasure on a server is refused while another process imports', async () => {
  const { operator, database, importRows } = await openedOn('server');
  await importRows(EVERYWHERE.map(personRow));
  const nodes = await clusterNodesOf(database.engine, database.topology);
  const staging = stagingOf('ab');
  await createStaging(nodes, staging, database.addresses.visibility);
  await expect(operator.erase(ORDER)).rejects.toThrow('import is under way');
  await dropStaging(nodes, staging);
  expect((await operator.erase(ORDER)).groups).toHaveLength(MONTHS.length);
});

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openAuditLog } from '../../src/audit/open-audit-log.ts';
import { AuditedOperator } from '../../src/control/audited-operator.ts';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { completeErasures } from '../../src/database/complete-erasures.ts';
import { exportDirectory, openDatabase, workDirectory } from '../../src/database/open-database.ts';
import { type Engine, EngineFailure } from '../../src/engine/engine.ts';
import { noteErasure, unfinishedErasures, withHeartbeat } from '../../src/erasure/erasure-log.ts';
import { publishingImports } from '../../src/ingest/staging/import-state.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { endAbandonedLease, takeLease } from '../../src/schema/values/maintenance-lease.ts';
import { storeAddressVisibility } from '../../src/schema/values/stored-address-visibility.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { parsedLines } from '../support/requests/audit-lines.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { BYTES_OF_PERSON, PERSON, personRow } from '../support/rows/person.ts';
import { filesWith } from './raw-files.ts';

let home: string;
let directory: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-erasure-'));
  directory = join(home, 'db');
  await newDatabase(directory, 'UTC');
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const opened = async () => await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });

test('an erasure that cannot be completed keeps the database closed, and the error says what to type; files of killed processes are removed before', async () => {
  const { engine, topology } = await opened();
  // A full disk is the usual reason why an erasure cannot be completed.
  const nodes = await clusterNodesOf(engine, topology);
  const rows = async () => {
    throw new EngineFailure('Code: 243. No space left on device');
  };
  const full: Engine = Object.create(engine, { rows: { value: rows } });
  await expect(completeErasures({ ...nodes, engine: full }, directory)).rejects.toMatchObject({
    message: expect.stringContaining('could show the persons'),
    next: expect.stringMatching(/^Free space .* then type: transactions check/),
  });
  // The transactions to erase are not known any more, as in a damaged database.
  await engine.execute(
    plainStatement("INSERT INTO erasures SELECT 'damaged', 'empty', 'erasing', now64(3, 'UTC')"),
  );
  await engine.close();
  const left = [workDirectory(directory), exportDirectory(directory)];
  for (const path of left) await mkdir(path, { recursive: true });
  await expect(opened()).rejects.toMatchObject({
    message: expect.stringContaining('An erasure was interrupted and cannot be completed'),
    next: expect.stringContaining('transactions restore'),
  });
  expect(left.filter((path) => existsSync(path))).toEqual([]);
});

test('an erasure that is refused during an import or a backup leaves nothing that later imports apply', async () => {
  const other = join(home, 'other');
  await newDatabase(other, 'UTC');
  const database = await openDatabase({ url: `chdb:${other}`, timeZone: 'UTC' });
  const { engine } = database;
  const operator = new LocalOperator(database);
  const count = async () =>
    await engine.rows(select(ANY_ROW, plainStatement('SELECT count() AS hashes FROM erased')));
  const order = { selectors: [{ field: 'clickid', values: ['a'] }], mode: 'empty' } as const;
  try {
    const before = await count();
    await engine.execute(
      plainStatement('CREATE TABLE import_ab12_copy (a UInt8) ENGINE = MergeTree ORDER BY a'),
    );
    await expect(operator.erase(order)).rejects.toThrow('A backup or an import is under way');
    expect(await count()).toEqual(before);
    await engine.execute(plainStatement('DROP TABLE import_ab12_copy SYNC'));
    await operator.erase(order);
    expect(await count()).not.toEqual(before);
  } finally {
    await operator.close();
  }
});

test('an erasure that lacks disk space for a merge fails at once, asks for space, and has a line in the audit log', async () => {
  const small = join(home, 'small');
  await newDatabase(small, 'UTC');
  const database = await openDatabase({ url: `chdb:${small}`, timeZone: 'UTC' });
  const path = join(home, 'file.csv');
  await writeFile(path, csv([fileRow({ clickid: 'a' })]));
  const files = [{ path, name: 'file.csv' }];
  const operator = new LocalOperator(database);
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (!statement.text.startsWith('OPTIMIZE')) return await server.execute(statement, watch);
    throw new EngineFailure(
      'Code: 388. DB::Exception: Cannot OPTIMIZE table: Not enough free space to merge parts. (CANNOT_ASSIGN_OPTIMIZE)',
    );
  });
  const order = { selectors: [{ field: 'clickid', values: ['a'] }], mode: 'empty' } as const;
  const settings = { auditLog: undefined, auditRetention: 0 };
  const audit = await openAuditLog(database, settings, { warn: vi.fn() });
  try {
    await operator.importFiles({ files, round: false, rejects: false }, {});
    const erasing = new AuditedOperator(new LocalOperator({ ...database, engine }), {
      database,
      log: audit.log,
      closeLog: audit.close,
    });
    await expect(erasing.erase(order)).rejects.toThrow('Not enough free space');
    const lines = await Array.fromAsync(erasing.auditLines({ since: 0 }));
    expect(parsedLines(lines.join('\n'))).toMatchObject([
      { event: 'erasure_started', details: { mode: 'empty' } },
    ]);
    const nodes = await clusterNodesOf(engine, database.topology);
    await expect(completeErasures(nodes, small)).rejects.toMatchObject({
      next: expect.stringMatching(/^Free space .* then type: transactions check/),
    });
  } finally {
    await audit.close();
    await operator.close();
  }
});

test('an erasure is refused while months are written again, and leaves nothing; the next start ends the lease of a dead process', async () => {
  const url = `chdb:${join(home, 'leased')}`;
  await newDatabase(join(home, 'leased'), 'UTC');
  const database = await openDatabase({ url, timeZone: 'UTC' });
  const { engine, topology, addresses } = database;
  const nodes = await clusterNodesOf(engine, topology);
  const erase = async (by: LocalOperator) =>
    await by.erase({ selectors: [{ field: 'clickid', values: ['a'] }], mode: 'empty' });
  const stored = plainStatement(
    'SELECT toUInt32((SELECT count() FROM erased) + (SELECT count() FROM erasures)) AS rows',
  );
  const operator = new LocalOperator(database);
  try {
    await storeAddressVisibility(nodes, { ...addresses, isPending: true });
    await expect(erase(operator)).rejects.toThrow('A change of IP_ADDRESSES has not ended.');
    await storeAddressVisibility(nodes, addresses);
    expect(await takeLease(nodes, 'x')).toBe(true);
    await expect(erase(operator)).rejects.toThrow('Rows that RETENTION does not keep');
    expect(await engine.rows(select(ANY_ROW, stored))).toEqual([{ rows: 0 }]);
  } finally {
    await operator.close();
  }
  const path = join(home, 'one.csv');
  await writeFile(path, csv([fileRow({})]));
  const restarted = new LocalOperator(await openDatabase({ url, timeZone: 'UTC' }));
  try {
    const files = [{ path, name: 'one.csv' }];
    const report = await restarted.importFiles({ files, round: false, rejects: false }, {});
    expect(report.imported).toBe(1);
    await erase(restarted);
  } finally {
    await restarted.close();
  }
});

test('an erasure also removes the values from a month that a killed removal was writing again', async () => {
  const left = join(home, 'left');
  await newDatabase(left, 'UTC');
  const database = await openDatabase({ url: `chdb:${left}`, timeZone: 'UTC' });
  let isKilled = false;
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (isKilled) throw new Error('killed');
    await server.execute(statement, watch);
    isKilled = statement.text.startsWith('INSERT INTO retention_');
  });
  const created_at = '2020-01-15 10:00:00';
  const path = join(home, 'mixed.csv');
  await writeFile(path, csv([personRow({ created_at }), fileRow({ type: 'clics', created_at })]));
  const files = [{ path, name: 'mixed.csv' }];
  const drafts = plainStatement("SELECT name FROM system.tables WHERE name LIKE 'retention%'");
  const operator = new LocalOperator(database);
  try {
    await operator.importFiles({ files, round: false, rejects: false }, {});
    const removal = { retention: { clics: 12 }, isDryRun: false };
    await expect(new LocalOperator({ ...database, engine }).retain(removal)).rejects.toThrow();
    await endAbandonedLease(await clusterNodesOf(database.engine, database.topology));
    expect(await database.engine.rows(select(ANY_ROW, drafts))).not.toEqual([]);
    const selectors = [{ field: 'clickid', values: [PERSON.clickid] }] as const;
    expect((await operator.erase({ selectors, mode: 'empty' })).groups).toHaveLength(1);
    expect(await filesWith(left, BYTES_OF_PERSON)).toEqual([]);
  } finally {
    await operator.close();
  }
});

test('a process that wakes up after its erasure was completed does not mark it as begun again', async () => {
  const url = `chdb:${join(home, 'suspended')}`;
  await newDatabase(join(home, 'suspended'), 'UTC');
  const { engine, topology } = await openDatabase({ url, timeZone: 'UTC' });
  const nodes = await clusterNodesOf(engine, topology);
  const erasure = { id: 'ab', mode: 'empty' } as const;
  await noteErasure(nodes, erasure, 'erasing');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await withHeartbeat(nodes, erasure, async () => {
      // Another process completes the erasure while this one is suspended.
      await noteErasure(nodes, erasure, 'done');
      vi.advanceTimersByTime(10_000);
    });
    expect(await unfinishedErasures(nodes)).toEqual([]);
  } finally {
    vi.useRealTimers();
    await engine.close();
  }
});

test('on a server, a completed erasure that is marked as begun again does not stop later ones', async () => {
  const url = `chdb:${join(home, 'marked')}`;
  await newDatabase(join(home, 'marked'), 'UTC');
  const database = await openDatabase({ url, timeZone: 'UTC' });
  const engine = watchedEngine(
    database.engine,
    async (server, statement, watch) => await server.execute(statement, watch),
    { isShared: true },
  );
  await engine.execute(
    plainStatement(
      "INSERT INTO erasures SELECT 'ef', 'empty', 'erasing', now64(3, 'UTC') - INTERVAL 1 HOUR",
    ),
  );
  // Without a directory, the database counts as one of a server.
  const operator = new LocalOperator({ ...database, engine, directory: undefined });
  try {
    await operator.erase({ selectors: [{ field: 'clickid', values: ['a'] }], mode: 'empty' });
    const nodes = await clusterNodesOf(engine, database.topology);
    expect(await unfinishedErasures(nodes)).toEqual([]);
  } finally {
    await operator.close();
  }
});

test('an erasure and its publication end although the clock is set back meanwhile', async () => {
  const url = `chdb:${join(home, 'clock')}`;
  await newDatabase(join(home, 'clock'), 'UTC');
  const database = await openDatabase({ url, timeZone: 'UTC' });
  const path = join(home, 'clock.csv');
  await writeFile(path, csv([fileRow({ clickid: 'a' })]));
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    await server.execute(statement, watch);
    const [, table, values] = BEGUN.exec(statement.text) ?? [];
    if (table === undefined) return;
    const later = `INSERT INTO ${table} SELECT ${values}, now64(3, 'UTC') + INTERVAL 1 HOUR`;
    await server.execute(plainStatement(later), watch);
  });
  const operator = new LocalOperator({ ...database, engine });
  const files = [{ path, name: 'clock.csv' }];
  await operator.importFiles({ files, round: false, rejects: false }, {});
  await operator.erase({ selectors: [{ field: 'clickid', values: ['a'] }], mode: 'empty' });
  expect(await publishingImports(engine)).toEqual(new Map());
  await operator.close();
  await (await openDatabase({ url, timeZone: 'UTC' })).engine.close();
});

/** A statement that marks an erasure or a publication as begun. Its groups are the table, and all values but the date. */
const BEGUN = /^INSERT INTO (erasures|imports) SELECT (.*'(?:erasing|publishing)')/;

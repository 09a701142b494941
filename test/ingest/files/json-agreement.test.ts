import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../../src/engine/engine.ts';
import { EngineFailure } from '../../../src/engine/engine.ts';
import { detectFileFormat } from '../../../src/ingest/files/detect-file-format.ts';
import { fileTable } from '../../../src/ingest/files/file-table.ts';
import type { Mapping } from '../../../src/ingest/files/mapping.ts';
import { textRows } from '../../../src/ingest/files/numbered-rows.ts';
import type { SourceFile } from '../../../src/ingest/files/source-file.ts';
import { openTestEngine, type TestEngine } from '../../support/databases/engine.ts';
import { fc, runCount } from '../../support/run/properties.ts';

let engine: TestEngine;
let directory: string;

beforeAll(async () => {
  engine = await openTestEngine();
  directory = await mkdtemp(join(tmpdir(), 'transactions-json-'));
  await engine.run('CREATE TABLE found (pid String, clickid String) ENGINE = Memory');
});

afterAll(async () => {
  await engine.close();
  await rm(directory, { recursive: true, force: true });
});

const COLUMNS = ['pid', 'clickid'];

const MAPPING: Mapping = { fields: { pid: { from: 'pid' }, clickid: { from: 'clickid' } } };

type Row = Readonly<Record<string, string | number | null>>;

async function fileOf(rows: readonly Row[], mapping: Mapping | undefined): Promise<SourceFile> {
  const path = join(directory, 'file.ndjson');
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { ...(await detectFileFormat(path, 'file.ndjson')), mapping };
}

/** The cells that the engine reads from a file; undefined if it refuses the file. */
async function readByEngine(file: SourceFile): Promise<readonly (readonly string[])[] | undefined> {
  const { table, columns, settings } = await fileTable(engine.engine, file, COLUMNS);
  const texts = COLUMNS.map((name) => columns.get(name)).join(', ');
  await engine.run('TRUNCATE TABLE found');
  try {
    await engine.run(
      `INSERT INTO found SELECT ${texts} FROM ${table} SETTINGS ${settings.join(', ')}`,
    );
  } catch (error) {
    if (error instanceof EngineFailure) return undefined;
    throw error;
  }
  const rows = await engine.rows<{ pid: string; clickid: string }>('SELECT * FROM found');
  return rows.map(({ pid, clickid }) => [pid, clickid]);
}

/** The cells of the row-by-row reader; undefined if any row has a fault. */
async function readExactly(file: SourceFile): Promise<readonly (readonly string[])[] | undefined> {
  const rows = await Array.fromAsync(textRows(file, COLUMNS));
  return rows.some(({ fault }) => fault !== undefined)
    ? undefined
    : rows.map(({ cells }) => [...cells]);
}

const row = fc
  .uniqueArray(fc.constantFrom('pid', 'PID', 'Pid', 'clickid', 'clickId', 'note'), {
    maxLength: 5,
  })
  .chain((keys) =>
    fc
      .array(fc.constantFrom('a', '', 7, null), { minLength: keys.length, maxLength: keys.length })
      .map((values): Row => Object.fromEntries(keys.map((key, at) => [key, values[at] ?? null]))),
  );

test('both readers give the same cells, or refuse the same rows, even if keys differ only in their letters’ case', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(undefined, MAPPING),
      async (rows, mapping) => {
        const file = await fileOf(rows, mapping);
        expect(await readByEngine(file)).toEqual(await readExactly(file));
      },
    ),
    {
      numRuns: runCount(300),
      examples: [
        [[{ PID: 'other', pid: 'mine' }], MAPPING],
        [[{ pid: 'mine', PID: 'other' }], MAPPING],
        [[{ Pid: 'other' }], MAPPING],
        [[{ PID: 'other' }], undefined],
        [[{ pid: 'mine', clickid: 7 }], undefined],
      ],
    },
  );
});

test('an engine that does not know the setting for the case of names is not sent it', async () => {
  const older: Pick<Engine, 'opensFiles' | 'rows'> = { opensFiles: true, rows: async () => [] };
  const { settings } = await fileTable(older, await fileOf([{ pid: 'a' }], MAPPING), COLUMNS);
  expect(settings.join()).not.toContain('matching_mode');
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineFailure } from '../../src/engine/engine.ts';
import { DELIMITERS, type Delimiter } from '../../src/ingest/dialect/dialect.ts';
import { csvRows } from '../../src/ingest/files/csv-rows.ts';
import { detectFileFormat } from '../../src/ingest/files/detect-file-format.ts';
import { linesOf } from '../../src/ingest/files/file-content.ts';
import { hasClosedQuotes, withLineFeed } from '../../src/ingest/files/file-end.ts';
import { fileTable } from '../../src/ingest/files/file-table.ts';
import type { SourceFile } from '../../src/ingest/files/source-file.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';
import { fc, runCount } from '../support/run/properties.ts';

let engine: TestEngine;
let directory: string;

beforeAll(async () => {
  engine = await openTestEngine();
  directory = await mkdtemp(join(tmpdir(), 'transactions-csv-'));
  await engine.run('CREATE TABLE found (pid String, clickid String) ENGINE = Memory');
});

afterAll(async () => {
  await engine.close();
  await rm(directory, { recursive: true, force: true });
});

/** Two text columns are enough to see cells that run into each other. */
const headerOf = (delimiter: Delimiter) => `pid${delimiter}clickid\n`;

async function fileOf(
  content: string,
  compression: 'none' | 'gzip',
  delimiter: Delimiter,
): Promise<SourceFile> {
  const path = join(directory, 'file.csv');
  const text = headerOf(delimiter) + content;
  await writeFile(path, compression === 'gzip' ? gzipSync(text) : text);
  return await detectFileFormat(path, 'file.csv', { delimiter });
}

/** The cells that the engine reads from a file; undefined if it refuses the file. */
async function readByEngine(file: SourceFile): Promise<readonly (readonly string[])[] | undefined> {
  const opened = await withLineFeed(file, join(directory, 'copy.csv'));
  const { table, columns, settings, misread } = await fileTable(engine.engine, opened);
  await engine.run('TRUNCATE TABLE found');
  try {
    await engine.run(
      `INSERT INTO found SELECT ${[...columns.values()].join(', ')} FROM ${table} WHERE throwIf(${misread}) = 0 SETTINGS ${settings.join(', ')}`,
    );
  } catch (error) {
    if (error instanceof EngineFailure) return undefined;
    throw error;
  }
  if (!(await hasClosedQuotes(file))) return undefined;
  const rows = await engine.rows<{ pid: string; clickid: string }>('SELECT * FROM found');
  return rows.map(({ pid, clickid }) => [pid, clickid]);
}

/** The cells of the row-by-row reader, with the conversions that every import applies. */
async function readExactly(
  file: SourceFile,
  delimiter: Delimiter,
): Promise<readonly (readonly string[])[]> {
  const rows = await Array.fromAsync(csvRows(linesOf(file), delimiter));
  return rows.slice(1).map(({ cells = ['malformed'] }) => {
    const wanted = cells.length === 3 && cells[2]?.trim() === '' ? cells.slice(0, 2) : cells;
    return wanted.map((cell) => (cell === '\\N' ? '' : cell));
  });
}

const piece = fc.constantFrom(
  'a',
  'b"',
  '"',
  '""',
  ',',
  '\n',
  '\r\n',
  ' ',
  '\t',
  ';',
  '|',
  '\\N',
  'NULL',
  "'",
  '\\',
);

const anything = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

const quoted = fc
  .tuple(anything, fc.constantFrom('', '', ' ', '\t'))
  .map(([text, blank]) => `"${text.replaceAll('"', '""')}"${blank}`);

const plain = anything.map((text) => text.replaceAll(/["\r\n,;\t|]/g, ''));

const delimiters = fc.constantFrom(...DELIMITERS);

/** Each row's cells, joined by the delimiter of the file. */
const wellFormed = fc
  .array(fc.tuple(fc.oneof(quoted, plain), fc.oneof(quoted, plain)), { maxLength: 4 })
  .map(
    (rows) => (delimiter: Delimiter) => rows.map((cells) => `${cells.join(delimiter)}\n`).join(''),
  );

const malformed = anything.map((text) => () => text);

const compression = fc.constantFrom('none', 'gzip');

const withoutNulls = (rows: readonly (readonly string[])[] | undefined) =>
  rows?.map((cells) => cells.map((cell) => (cell === '\\N' ? '' : cell)));

test('the row-by-row reader gives the same cells as the engine for any text that the engine accepts', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(malformed, wellFormed),
      compression,
      delimiters,
      async (content, packed, delimiter) => {
        const file = await fileOf(content(delimiter), packed, delimiter);
        const found = await readByEngine(file);
        if (found === undefined) return;
        accepted += found.length;
        expect(await readExactly(file, delimiter)).toEqual(withoutNulls(found));
      },
    ),
    {
      numRuns: runCount(400),
      examples: [[(delimiter) => `a${delimiter}b\n${delimiter}\n`, 'none', '\t']],
    },
  );
  expect(accepted).toBeGreaterThan(runCount(100));
});

test('the row-by-row reader reads all cells of correct CSV', async () => {
  const cell = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 5 }), async (rows) => {
      const written = rows.map((cells) =>
        cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','),
      );
      async function* lines() {
        yield* written.join('\n').split('\n');
      }
      const read = await Array.fromAsync(csvRows(lines(), ','), ({ cells }) => cells);
      expect(read).toEqual(rows);
    }),
    { numRuns: runCount(500) },
  );
});

test('the copy of a compressed file leaves the reserve of the disk free', async () => {
  const file = await fileOf('a,b\n', 'gzip', ',');
  const copying = withLineFeed(file, join(directory, 'large.csv'), { reserve: 2 ** 60 });
  await expect(copying).rejects.toThrow('file.csv: the disk has no space for a copy of the file.');
});

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeNumberedRows } from '../../../src/ingest/files/numbered-rows.ts';
import type { SourceFile } from '../../../src/ingest/files/source-file.ts';

let directory: string;
let source: SourceFile;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-'));
  const path = join(directory, 'rows.csv');
  await writeFile(path, 'a,b\n1,2\n3,4\n');
  const form = { format: 'csv', delimiter: ',', columns: ['a', 'b'] } as const;
  const { size: bytes } = await stat(path);
  source = { name: 'rows.csv', path, bytes, compression: 'none', form };
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

test('rows are written with their lines', async () => {
  const path = join(directory, 'numbered');
  await writeNumberedRows(source, ['a', 'b'], path, undefined);
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    [2, '', '', ['1', '2']],
    [3, '', '', ['3', '4']],
  ]);
});

test('writing that is aborted fails with the reason of its signal', async () => {
  const reason = new Error('interrupted');
  const path = join(directory, 'interrupted');
  const writing = writeNumberedRows(source, ['a', 'b'], path, AbortSignal.abort(reason));
  await expect(writing).rejects.toBe(reason);
});

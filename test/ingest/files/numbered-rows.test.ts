import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskFull } from '../../../src/disk/disk-space.ts';
import { writeNumberedRows } from '../../../src/ingest/files/numbered-rows.ts';
import { unpacked } from '../../../src/ingest/files/open-files.ts';
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
  await writeNumberedRows(source, ['a', 'b'], path, {});
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    [2, '', '', ['1', '2']],
    [3, '', '', ['3', '4']],
  ]);
});

test('writing that is aborted fails with the reason of its signal', async () => {
  const reason = new Error('interrupted');
  const path = join(directory, 'interrupted');
  const signal = AbortSignal.abort(reason);
  const writing = writeNumberedRows(source, ['a', 'b'], path, { signal });
  await expect(writing).rejects.toBe(reason);
});

test('a file that does not fit on the disk is refused before its rows are written', async () => {
  const path = join(directory, 'full');
  const reserve = Number.MAX_SAFE_INTEGER;
  const writing = writeNumberedRows(source, ['a', 'b'], path, { reserve });
  await expect(writing).rejects.toThrow(DiskFull);
  await expect(writing).rejects.toThrow('rows.csv: the disk has no space');
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('a compressed Parquet file is decompressed for its owner only, unless the disk is full or the import is aborted', async () => {
  const path = join(directory, 'sales.parquet.zst');
  await writeFile(path, zstdCompressSync('PAR1'));
  const form = { format: 'parquet' } as const;
  const file = { ...source, name: 'sales.parquet.zst', path, compression: 'zstd', form } as const;
  const copy = join(directory, 'unpacked');
  const reserve = Number.MAX_SAFE_INTEGER;
  const full = 'sales.parquet.zst: the disk has no space';
  await expect(unpacked(file, copy, { reserve })).rejects.toThrow(full);
  const reason = new Error('interrupted');
  const signal = AbortSignal.abort(reason);
  await expect(unpacked(file, copy, { signal })).rejects.toBe(reason);
  await rm(copy, { force: true });
  expect(await unpacked(file, copy, {})).toMatchObject({ path: copy, compression: 'none' });
  expect(await readFile(copy, 'utf8')).toBe('PAR1');
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
});

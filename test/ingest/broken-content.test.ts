import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { csvRows } from '../../src/ingest/files/csv-rows.ts';
import { detectFileFormat } from '../../src/ingest/files/detect-file-format.ts';
import { linesOf } from '../../src/ingest/files/file-content.ts';
import type { Compression } from '../../src/ingest/files/source-file.ts';
import { startImports } from '../support/databases/imports.ts';
import type { StoreKind } from '../support/databases/tested-stores.ts';
import { openFilesIn } from '../support/programs/open-files.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

const MEGABYTE = 1024 ** 2;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-broken-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

async function fileOf(content: string | Uint8Array, compression: Compression = 'none') {
  const path = join(directory, 'file');
  await writeFile(path, content);
  return { name: 'file', path, compression };
}

test.each(fullOrShort<readonly StoreKind[]>(['embedded', 'server'], ['embedded']))(
  'a truncated compressed file is named on the store %s',
  async (store) => {
    const imports = await startImports({ store });
    onTestFinished(async () => await imports.close());
    const rows = Array.from({ length: 5000 }, () => fileRow({}));
    const text = csv(rows);
    const frame = zstdCompressSync(ndjson(rows));
    const all = [
      gzipSync(text).subarray(0, -20),
      zstdCompressSync(text).subarray(0, -20),
      // The engine accepts a frame that is cut off before its first row ends.
      Buffer.concat([frame, frame.subarray(0, 20)]),
      Buffer.concat([frame, withOtherMagic(frame)]),
    ];
    for (const packed of all) {
      const importing = imports.importAll([packed]);
      await expect(importing).rejects.toMatchObject({
        name: 'ImportRefused',
        message: expect.stringMatching(/^file 1: cannot be read to its end: /),
      });
    }
    expect(await imports.visible()).toEqual({ admin: 0, affiliate: 0, left: [] });
  },
);

/** A zstd frame with one wrong bit at its beginning. */
function withOtherMagic(frame: Buffer): Buffer {
  const damaged = Buffer.from(frame);
  damaged.writeUInt8(damaged.readUInt8() ^ 1);
  return damaged;
}

test('a zstd file is refused if anything but a whole frame follows the first', async () => {
  const [first, second] = [zstdCompressSync('a\n'), zstdCompressSync('b\n')];
  const linesIn = async (...parts: readonly Buffer[]) =>
    await Array.fromAsync(linesOf(await fileOf(Buffer.concat(parts), 'zstd')));
  expect(await linesIn(first, second)).toEqual(['a', 'b']);
  const all = [withOtherMagic(second), second.subarray(0, 3), gzipSync('b\n'), Buffer.from('b\n')];
  for (const rest of all) {
    await expect(linesIn(first, rest)).rejects.toThrow('file: cannot be read to its end: ');
  }
});

test('a zstd file that begins with a skippable frame, as those of pzstd do, is recognised', async () => {
  const skippable = Buffer.from([0x5f, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
  const content = Buffer.concat([skippable, zstdCompressSync('pid,clickid\na,b\n')]);
  const { path } = await fileOf(content);
  const found = await detectFileFormat(path, 'file');
  expect(found).toMatchObject({ compression: 'zstd', form: { columns: ['pid', 'clickid'] } });
  expect(await Array.fromAsync(linesOf(found))).toEqual(['pid,clickid', 'a,b']);
});

test('a file is closed if the reader stops early', async () => {
  const file = await fileOf('pid,clickid\n'.repeat(100_000));
  for await (const { line } of csvRows(linesOf(file), ',')) {
    expect([line, await openFilesIn(directory)]).toEqual([1, [file.path]]);
    break;
  }
  await expect.poll(async () => await openFilesIn(directory)).toEqual([]);
});

test('a file with one endless line is refused before it fills the memory', async () => {
  const file = await fileOf(gzipSync(Buffer.alloc(65 * MEGABYTE, 'a')), 'gzip');
  const reading = Array.fromAsync(linesOf(file));
  await expect(reading).rejects.toThrow('file: has a line of more than 64 MiB.');
});

test('lines that were read are freed, even if each has a stray quote', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  async function* lines() {
    for (let at = 0; at < 1500; at += 1) yield `a,"${'x'.repeat(64_000)}${at}`.toUpperCase();
  }
  const used = () => {
    collect();
    return getHeapStatistics().used_heap_size;
  };
  const before = used();
  let rows = 0;
  for await (const { cells } of csvRows(lines(), ',')) {
    expect(cells).toBeUndefined();
    rows += 1;
    if (rows === 1400) expect(used() - before).toBeLessThan(20 * MEGABYTE);
  }
  expect(rows).toBe(1500);
});

test('a file with many quotes that are never closed is refused, and other work goes on meanwhile', async () => {
  async function* lines() {
    yield 'a,b';
    for (let at = 0; at < 20_000; at += 1) yield 'x","y';
  }
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 1);
  onTestFinished(() => clearInterval(ticking));
  const reading = Array.fromAsync(csvRows(lines(), ',', { name: 'a.csv', mostReread: 500_000 }));
  await expect(reading).rejects.toThrow(/^a\.csv: has many quotes that are never closed/);
  expect(ticks).toBeGreaterThan(0);
});

test('any number of stray quotes is reported line by line', async () => {
  async function* lines() {
    for (let at = 0; at < 2_000; at += 1) yield at % 20 === 0 ? 'x,"y' : 'x,y';
  }
  const rows = await Array.fromAsync(csvRows(lines(), ',', { mostReread: 30 }));
  expect(rows.filter(({ cells }) => cells === undefined).length).toBe(100);
});

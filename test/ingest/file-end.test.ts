import { syncBuiltinESMExports } from 'node:module';
import zlib, { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startImports, type TestImports } from '../support/databases/imports.ts';
import { TESTED_STORES } from '../support/databases/tested-stores.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';

const COMPRESSIONS = [
  { name: 'gzip', compress: gzipSync, method: 'createGunzip' },
  { name: 'zstd', compress: zstdCompressSync, method: 'createZstdDecompress' },
] as const;

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Counts the bytes that Node decompresses by a method of `node:zlib`. */
function countDecompressed(method: 'createGunzip' | 'createZstdDecompress'): () => number {
  let bytes = 0;
  const create = zlib[method].bind(zlib);
  vi.spyOn(zlib, method).mockImplementation(() => {
    const stream = create();
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    stream.pause();
    return stream;
  });
  syncBuiltinESMExports();
  return () => bytes;
}

const rows = Array.from({ length: 10_000 }, (_, at) => fileRow({ pid: `${at} 🛒` }));

describe.each(TESTED_STORES.filter((store) => store !== 'cluster'))('%s', (store) => {
  let imports: TestImports;

  beforeAll(async () => {
    imports = await startImports({ store });
  });

  afterAll(async () => await imports.close());

  test.each(COMPRESSIONS)('a file compressed with $name is decompressed once', async (one) => {
    const text = Buffer.from(csv(rows));
    const decompressed = countDecompressed(one.method);
    const report = await imports.importAll([one.compress(text)]);
    expect(report).toMatchObject({ imported: rows.length, rejected: 0 });
    // The embedded engine decompresses the file itself. Node decompresses only its beginning, to detect the format.
    const once = store === 'embedded' ? 0 : text.length;
    expect(decompressed()).toBeLessThan(once + 0.3 * text.length);
  });

  test('a quote left open at the end of a file is reported', async () => {
    const [header, line = ''] = csv([fileRow({ pid: 'last column' })]).split('\n');
    const open = `${header}\n${line}\n${line.replace('last column', '"open')}`;
    for (const content of everyNth([open, gzipSync(open), zstdCompressSync(open)], 2)) {
      const { imported, faults } = await imports.importAll([content]);
      expect(imported).toBe(0);
      expect(faults).toMatchObject([{ line: 3, reason: 'malformed' }]);
    }
  });
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasWholeFrames } from '../../../src/ingest/files/zstd-frames.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-zstd-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

async function isWhole(content: Uint8Array): Promise<boolean> {
  const path = join(directory, 'file.zst');
  await writeFile(path, content);
  return await hasWholeFrames({ path, compression: 'zstd' });
}

const { ZSTD_c_checksumFlag: checksum, ZSTD_c_contentSizeFlag: contentSize } = constants;

const SKIPPABLE_FRAME = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);

/** Blocks of all types, and headers of all lengths. */
const FRAMES = [
  SKIPPABLE_FRAME,
  ...[0, 1, 200, 70_000, 300_000].flatMap((length) =>
    [
      randomBytes(length),
      Buffer.alloc(length, 'a'),
      Buffer.from('a,b\n'.repeat(length / 4)),
    ].flatMap((content) =>
      [0, 1].flatMap((flag) => [
        zstdCompressSync(content, { params: { [checksum]: flag } }),
        zstdCompressSync(content, { params: { [contentSize]: flag } }),
      ]),
    ),
  ),
];

test('frames of every form are whole, and none is whole without its last byte', async () => {
  for (const frame of FRAMES) {
    expect(await isWhole(frame)).toBe(true);
    expect(await isWhole(frame.subarray(0, -1))).toBe(false);
  }
  expect(await isWhole(Buffer.concat(FRAMES))).toBe(true);
});

test('two frames are not whole if the second is cut off anywhere, or if anything else follows', async () => {
  const frame = zstdCompressSync('a,b\n'.repeat(9));
  for (const last of [frame, SKIPPABLE_FRAME]) {
    for (let length = 1; length < last.length; length += 1) {
      expect(await isWhole(Buffer.concat([frame, last.subarray(0, length)]))).toBe(false);
    }
  }
  for (const other of ['\n', 'more than eight bytes']) {
    expect(await isWhole(Buffer.concat([frame, Buffer.from(other)]))).toBe(false);
  }
});

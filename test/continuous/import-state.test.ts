import fs, { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { readStateFile, writeStateFile } from '../../src/cli/continuous/import-state.ts';
import { identityOf } from '../../src/connectors/source-address.ts';
import { readSourceUrl } from '../../src/connectors/source-url.ts';

const IDENTITY = { sources: ['postgres://db/shop?table=orders'], reading: 'abc', database: 7 };
const AT = new Date('2026-03-01T10:00:00.500Z');

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'state-'));
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

test('the state file keeps the instant unchanged, and only its owner can read it', async () => {
  const path = join(home, 'one.state');
  expect(await readStateFile(path, IDENTITY)).toBeUndefined();
  await writeStateFile(path, IDENTITY, AT);
  expect(await readStateFile(path, IDENTITY)).toEqual(AT);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('the state file is on the disk before it replaces the former one', async () => {
  const write = vi.spyOn(fs, 'writeFile');
  syncBuiltinESMExports();
  onTestFinished(() => {
    write.mockRestore();
    syncBuiltinESMExports();
  });
  const path = join(home, 'flushed.state');
  await writeStateFile(path, IDENTITY, AT);
  const draft = [`${path}.part`, expect.any(String), expect.objectContaining({ flush: true })];
  expect(write.mock.calls).toEqual([draft]);
});

test.each([
  [{ sources: ['mysql://db/shop?table=orders'] }, 'of postgres://db/shop?table=orders'],
  [{ reading: 'other' }, 'with another mapping or other flags'],
  [{ database: 8 }, 'into another database, or before a backup was restored'],
  [{ database: null }, 'into another database, or before a backup was restored'],
])('the state of another import (%j) is refused', async (other, message) => {
  const path = join(home, 'two.state');
  await writeStateFile(path, IDENTITY, AT);
  await expect(readStateFile(path, { ...IDENTITY, ...other })).rejects.toThrow(message);
});

test.each([
  ['', 's3://bucket/days/*.csv'],
  ['?region=eu-west-3', 's3://bucket/days/*.csv'],
  ['?endpoint=https://s3.eu-west-3.amazonaws.com', 's3://bucket/days/*.csv'],
  ['?endpoint=https://a.example/', 'https://a.example/bucket/days/*.csv'],
  ['?endpoint=https://b.example:9000', 'https://b.example:9000/bucket/days/*.csv'],
])('the state names the store of a bucket, if it is not Amazon S3: %s', (query, identity) => {
  expect(identityOf(readSourceUrl(`s3://bucket/days/*.csv${query}`, {}))).toBe(identity);
});

test('a file with other content is refused', async () => {
  const path = join(home, 'three.state');
  await writeFile(path, '{"read_until":"yesterday"}');
  await expect(readStateFile(path, IDENTITY)).rejects.toThrow('is not the state');
});

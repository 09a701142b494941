import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.ts';
import { type SecretKeys, tagKeyOf } from '../../src/store/secret-keys.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

/** The secret keys of a database, and its key of tags, which is made from the given secret keys or from its own. */
async function keysIn(name: string, given?: SecretKeys) {
  const url = `chdb:${join(directory, name)}`;
  const { engine, keys } = await openDatabase({ url, timeZone: 'UTC' });
  const tagKey = await tagKeyOf(engine, given ?? keys);
  await engine.close();
  return { keys, tagKey: tagKey.toString('hex') };
}

test('the key of tags stays the same, but a restored backup with the same secret keys has another one', async () => {
  const { keys, tagKey } = await keysIn('original');
  expect((await keysIn('original')).tagKey).toBe(tagKey);
  expect((await keysIn('restored', keys)).tagKey).not.toBe(tagKey);
});

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { restoreDatabase } from '../../src/database/restore-database.ts';
import { NEVER_ABORTED } from '../../src/engine/never-aborted.ts';
import { type SecretKeys, tagKeyOf } from '../../src/store/secret-keys.ts';
import { newDatabase } from '../support/databases/copied-database.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-'));
});

afterAll(async () => await rm(directory, { recursive: true, force: true }));

const settingsOf = (name: string) => ({ url: `chdb:${join(directory, name)}`, timeZone: 'UTC' });

/** The secret keys of a database, and its key of tags, which is made from the given secret keys or from its own. */
async function keysIn(name: string, given?: SecretKeys) {
  const path = join(directory, name);
  if (!existsSync(path)) await newDatabase(path, 'UTC');
  const { engine, keys } = await openDatabase(settingsOf(name));
  const tagKey = await tagKeyOf(engine, given ?? keys);
  await engine.close();
  return { keys, tagKey: tagKey.toString('hex') };
}

test('the key of tags stays the same, but a restored backup with the same secret keys has another one', async () => {
  const { keys, tagKey } = await keysIn('original');
  expect((await keysIn('original')).tagKey).toBe(tagKey);
  expect((await keysIn('restored', keys)).tagKey).not.toBe(tagKey);
});

test('a restored database has the secret keys of the backup, even if its own are older', async () => {
  const older = await keysIn('older');
  const { keys } = await keysIn('newer');
  expect(older.keys).not.toEqual(keys);
  const to = { kind: 'directory', name: 'backup', path: join(directory, 'backup') } as const;
  const newer = new LocalOperator(await openDatabase(settingsOf('newer')));
  await newer.backUp({ to }, { signal: NEVER_ABORTED });
  await newer.close();
  await restoreDatabase(settingsOf('older'), to, { signal: NEVER_ABORTED });
  expect((await keysIn('older')).keys).toEqual(keys);
});

/** Secret keys of signatures and hashes, stored in the database so that every process has the same ones. */

import { createHmac, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Engine, Reader } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { bind, plainStatement, sql, statementOf } from '../plan/sql.ts';
import { databaseOrigin } from './last-import.ts';

/** One key signs cursors. The others hash values in the audit log, and values of erased persons. */
const KEY_NAMES = ['cursors', 'audit', 'erasures'] as const;

type KeyName = (typeof KEY_NAMES)[number];

export type SecretKeys = Readonly<Record<KeyName, Buffer>>;

/** Bytes of a key. HMAC-SHA256 uses all of them, SipHash the first 16. */
const LENGTH = 32;

const KEY = v.object({ name: v.picklist(KEY_NAMES), value: v.string() });

/** The keys of a database; undefined if it lacks one. */
export const storedKeys = async (reader: Reader): Promise<SecretKeys | undefined> =>
  allOf(await readKeys(reader));

const allOf = ({ cursors, audit, erasures }: Partial<SecretKeys>): SecretKeys | undefined =>
  cursors && audit && erasures && { cursors, audit, erasures };

async function readKeys(reader: Reader): Promise<Partial<SecretKeys>> {
  const names = KEY_NAMES.map((name) => `'${name}'`).join(', ');
  const stored = plainStatement(`SELECT name, value FROM keys FINAL WHERE name IN (${names})`);
  const rows = await reader.rows(select(KEY, stored));
  return Object.fromEntries(rows.map(({ name, value }) => [name, Buffer.from(value, 'hex')]));
}

/** The keys of a database, created if missing. If two processes create one at the same time, the first is used. */
export async function ensureKeys(engine: Engine): Promise<SecretKeys> {
  const present = await readKeys(engine);
  const keys = allOf(present);
  if (keys !== undefined) return keys;
  const missing = KEY_NAMES.filter((name) => present[name] === undefined);
  for (const name of missing) await createKey(engine, name);
  return await ensureKeys(engine);
}

async function createKey(engine: Engine, name: KeyName): Promise<void> {
  const key = bind('String', randomBytes(LENGTH).toString('hex'));
  await engine.execute(
    statementOf(sql`INSERT INTO keys
SELECT ${bind('String', name)}, ${key}, toUInt64(toInt64(9223372036854775807) - toUnixTimestamp64Micro(now64(6)))`),
    { changes: 'all' },
  );
}

/**
 * The key of entity tags. A restored backup has another one than its original, because its tables count their
 * inserts anew: with the same key, a tag of the original could stand for other rows.
 */
export async function tagKeyOf(reader: Reader, { cursors }: SecretKeys): Promise<Buffer> {
  // If a replica does not have the origin yet, the key is random: clients read again what they already have.
  const origin = (await databaseOrigin(reader)) ?? randomBytes(LENGTH).toString('hex');
  return createHmac('sha256', cursors).update(`tags\n${origin}`).digest();
}

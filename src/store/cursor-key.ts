/** The secret that signs cursors, stored in the database so that every process has the same. */

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Engine, Reader } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { bind, command, sql, statementOf } from '../plan/sql.ts';

const NAME = 'cursors';

/** Bytes of a key for HMAC-SHA256. */
const LENGTH = 32;

/** The key of a database; undefined if it has none. */
export async function storedCursorKey(reader: Reader): Promise<Buffer | undefined> {
  const value = command(`SELECT value FROM keys FINAL WHERE name = '${NAME}'`);
  const rows = await reader.rows(select(v.object({ value: v.string() }), value));
  return rows[0] === undefined ? undefined : Buffer.from(rows[0].value, 'hex');
}

/** The key of a database, created if missing. If two processes create one at the same time, the first is used. */
export async function ensureCursorKey(engine: Engine): Promise<Buffer> {
  const stored = await storedCursorKey(engine);
  if (stored !== undefined) return stored;
  const key = bind('String', randomBytes(LENGTH).toString('hex'));
  await engine.execute(
    statementOf(sql`INSERT INTO keys
SELECT ${bind('String', NAME)}, ${key}, toUInt64(4294967295 - toUnixTimestamp(now()))`),
  );
  return (await storedCursorKey(engine)) ?? (await ensureCursorKey(engine));
}

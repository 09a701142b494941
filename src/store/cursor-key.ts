/** The secret with which cursors are signed: made once a database, so that every process knows it. */

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Engine, Reader } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { bind, command, sql, statementOf } from '../plan/sql.ts';

const NAME = 'cursors';

/** Bytes of a key of HMAC-SHA256. */
const LENGTH = 32;

/** The key of a database that has one. */
export async function storedCursorKey(reader: Reader): Promise<Buffer | undefined> {
  const value = command(`SELECT value FROM keys FINAL WHERE name = '${NAME}'`);
  const rows = await reader.rows(select(v.object({ value: v.string() }), value));
  return rows[0] === undefined ? undefined : Buffer.from(rows[0].value, 'hex');
}

/** The key of a database, which gets one where it has none; of two made at once the first counts. */
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

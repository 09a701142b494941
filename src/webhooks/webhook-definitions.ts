/** Stores definitions of webhooks so that concurrent processes do not undo each other's changes. */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { type Engine, isExclusive } from '../engine/engine.ts';
import { bind, sql, statementOf } from '../plan/sql.ts';
import { nextVersion, SETTLED } from './next-version.ts';
import type { Webhook } from './webhook.ts';
import { noteCreator, type StoredWebhook, store, storedText } from './webhook-table.ts';

/** Greater than all versions of definitions, so a definition that is stored later does not undo the removal. */
const REMOVED = Number.MAX_SAFE_INTEGER;

/** A definition lists the versions of this many last changes. Within `SETTLED` milliseconds, fewer changes are made. */
const LISTED_CHANGES = 32;

const MEMBERS = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ changes: v.optional(v.array(v.number()), []) }),
);

function membersOf(value: string): v.InferOutput<typeof MEMBERS> {
  const { success, output } = v.safeParse(MEMBERS, value);
  return success ? output : { changes: [] };
}

export async function addWebhook(engine: Engine, id: string, webhook: Webhook): Promise<void> {
  await storeChange(engine, { id, definition: { version: 0, value: '' } }, webhook);
}

/**
 * Stores a change of a webhook, unless its definition has changed since it was read. Returns the version of the
 * change, with which `hasChange` tells whether the change counts.
 */
export async function storeChange(
  engine: Engine,
  { id, definition }: Pick<StoredWebhook, 'id' | 'definition'>,
  webhook: Webhook,
): Promise<number> {
  const version = nextVersion(definition.version);
  // Members that a later version of the service has added are kept.
  const { changes, ...members } = membersOf(definition.value);
  const listed = [version, ...changes].slice(0, LISTED_CHANGES);
  const value = JSON.stringify({ ...members, ...webhook, changes: listed });
  const key = bind('String', id);
  // The creator first: if this fails, there is no webhook whose secret nobody has received.
  await noteCreator(engine, id, webhook.createdBy);
  await engine.execute(
    statementOf(sql`INSERT INTO webhooks
SELECT ${key}, ${bind('UInt64', version)}, ${bind('String', value)}
WHERE (SELECT max(version) FROM webhooks WHERE id = ${key}) = ${bind('UInt64', definition.version)}`),
    { changes: 'nothing' },
  );
  return version;
}

/** Whether the present definition has a change. If not, another process has changed or removed the webhook. */
export async function hasChange(engine: Engine, id: string, version: number): Promise<boolean> {
  if (!isExclusive(engine)) await delay(SETTLED);
  return membersOf(await storedText(engine, 'webhooks', id)).changes.includes(version);
}

/** Keeps only the id, because the URL may contain a secret. */
export const removeWebhook = async (engine: Engine, id: string): Promise<void> =>
  await store(engine, { table: 'webhooks', id, version: REMOVED, value: '' });

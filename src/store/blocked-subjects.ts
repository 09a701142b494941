/**
 * Subjects of the identity provider that the operator has blocked, in the table `keys`.
 *
 * The table keeps the newest value of each name. If the subject is no longer blocked, the value is empty.
 */

import * as v from 'valibot';
import type { Engine, Reader } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { bind, raw, type Sql, sql, statementOf } from '../plan/sql.ts';
import { insertNewest } from '../schema/values/stored-value.ts';
import { revokedTokens } from './token-table.ts';

const PREFIX = 'blocked_subject:';

const BLOCKED = v.object({ subject: v.string(), since: v.string() });

export interface BlockedSubject {
  readonly subject: string;
  readonly blockedAt: Date;
}

/** All blocked subjects, sorted by subject. */
export async function blockedSubjects(reader: Reader): Promise<readonly BlockedSubject[]> {
  return await blockedAmong(reader, raw('1'));
}

/** Those of the given principals whose access has ended: revoked access tokens and blocked subjects. */
export async function revokedPrincipals(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const revoked = new Set<string>();
  for (let at = 0; at < ids.length; at += MAX_IDS) {
    const some = ids.slice(at, at + MAX_IDS);
    const names = some.map((id) => PREFIX + id);
    const [tokens, subjects] = await Promise.all([
      revokedTokens(reader, some),
      blockedAmong(reader, sql`name IN ${bind('Array(String)', names)}`),
    ]);
    for (const id of tokens) revoked.add(id);
    for (const { subject } of subjects) revoked.add(subject);
  }
  return revoked;
}

/** The maximum number of identifiers in a statement: ClickHouse refuses a parameter of more than 128 KiB. */
const MAX_IDS = 250;

async function blockedAmong(reader: Reader, condition: Sql): Promise<readonly BlockedSubject[]> {
  const statement =
    statementOf(sql`SELECT substring(name, ${raw(String(PREFIX.length + 1))}) AS subject, value AS since FROM keys FINAL
WHERE startsWith(name, ${raw(`'${PREFIX}'`)}) AND value != '' AND ${condition} ORDER BY name`);
  const rows = await reader.rows(select(BLOCKED, statement));
  return rows.map(({ subject, since }) => ({ subject, blockedAt: new Date(since) }));
}

export async function blockSubject(engine: Engine, subject: string, at: Date): Promise<void> {
  await insertNewest(engine, PREFIX + subject, at.toISOString());
}

/** False if the subject is not blocked. */
export async function unblockSubject(engine: Engine, subject: string): Promise<boolean> {
  const found = await blockedSubjects(engine);
  if (found.every((one) => one.subject !== subject)) return false;
  await insertNewest(engine, PREFIX + subject, '');
  return true;
}

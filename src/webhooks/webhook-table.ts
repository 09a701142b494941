/** Stores webhooks and their progress in the database. */

import * as v from 'valibot';
import type { Engine, Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, command, raw, sql, statementOf } from '../plan/sql.ts';
import { PROGRESS, type Progress } from './progress.ts';
import { WEBHOOK, type Webhook } from './webhook.ts';

export interface StoredWebhook {
  readonly id: string;
  readonly webhook: Webhook;
  /** Undefined until something was delivered or failed. */
  readonly progress: Progress | undefined;
}

const VALUE = v.object({ id: v.string(), value: v.string() });

const WEBHOOK_VALUES = v.object({ ...VALUE.entries, progress: v.string() });

/** All webhooks that are not removed, oldest first; one statement. */
export async function storedWebhooks(reader: Reader): Promise<readonly StoredWebhook[]> {
  const all =
    command(`SELECT id, anyIf(text, is_definition) AS value, anyIf(text, NOT is_definition) AS progress
FROM (
  SELECT id, value AS text, 1 AS is_definition FROM webhooks FINAL
  UNION ALL SELECT id, value AS text, 0 AS is_definition FROM webhook_progress FINAL
)
GROUP BY id HAVING value != ''`);
  const rows = await reader.rows(select(WEBHOOK_VALUES, all));
  return rows
    .map(({ id, value, progress }) => ({
      id,
      webhook: v.parse(WEBHOOK, JSON.parse(value)),
      progress: progressOf(progress),
    }))
    .sort((one, other) => compare(one.webhook.createdAt, other.webhook.createdAt));
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

export async function storedProgress(reader: Reader, id: string): Promise<Progress | undefined> {
  const statement = statementOf(
    sql`SELECT id, value FROM webhook_progress FINAL WHERE id = ${bind('String', id)}`,
  );
  const [row] = await reader.rows(select(VALUE, statement));
  return progressOf(row?.value);
}

const progressOf = (text = ''): Progress | undefined =>
  text === '' ? undefined : v.parse(PROGRESS, JSON.parse(text));

/** The greatest number of versions of one generation. */
const VERSIONS = 2 ** 32;

/** The version of a later generation is always greater, so a process that is late overwrites nothing newer. */
export async function storeProgress(engine: Engine, id: string, progress: Progress): Promise<void> {
  const version = progress.generation * VERSIONS + progress.sequence;
  await store(engine, { table: 'webhook_progress', id, version, value: JSON.stringify(progress) });
}

export async function storeWebhook(engine: Engine, id: string, webhook: Webhook): Promise<void> {
  const value = JSON.stringify(webhook);
  await store(engine, { table: 'webhooks', id, version: await nextVersion(engine, id), value });
}

/** Only the id remains: the URL may contain a secret. */
export async function removeWebhook(engine: Engine, id: string): Promise<void> {
  const version = await nextVersion(engine, id);
  await store(engine, { table: 'webhooks', id, version, value: '' });
}

const VERSION = v.object({ version: INTEGER });

async function nextVersion(engine: Engine, id: string): Promise<number> {
  const statement = statementOf(sql`SELECT max(version) AS version FROM webhooks
WHERE id = ${bind('String', id)}`);
  const [row] = await engine.rows(select(VERSION, statement));
  return (row?.version ?? 0) + 1;
}

interface StoredValue {
  readonly table: 'webhooks' | 'webhook_progress';
  readonly id: string;
  readonly version: number;
  readonly value: string;
}

/** No report reads the tables, so caches of reports stay valid. */
async function store(engine: Engine, { table, id, version, value }: StoredValue): Promise<void> {
  await engine.execute(
    statementOf(sql`INSERT INTO ${raw(table)}
SELECT ${bind('String', id)}, ${bind('UInt64', version)}, ${bind('String', value)}`),
    { keepsState: true },
  );
}

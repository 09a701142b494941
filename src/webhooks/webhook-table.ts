/** Stores webhooks and their progress in the database. */

import * as v from 'valibot';
import type { Engine, Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, command, raw, sql, statementOf } from '../plan/sql.ts';
import { PROGRESS, type Progress } from './progress.ts';
import { versionAfter } from './version-after.ts';
import { WEBHOOK, type Webhook } from './webhook.ts';

export interface StoredWebhook {
  readonly id: string;
  readonly webhook: Webhook;
  /** Undefined until something was delivered or failed. */
  readonly progress: Progress | undefined;
}

const VALUE = v.object({ id: v.string(), value: v.string() });

const WEBHOOK_ROW = v.object({ ...VALUE.entries, progress: v.string() });

const STORED_WEBHOOK = v.object({
  id: v.string(),
  webhook: v.pipe(v.string(), v.parseJson(), WEBHOOK),
  progress: v.optional(v.pipe(v.string(), v.parseJson(), PROGRESS)),
});

/** All webhooks that are not removed. */
export interface StoredWebhooks {
  /** Oldest first. */
  readonly webhooks: readonly StoredWebhook[];
  /** The ids of those that this version cannot read, such as those of a later version. */
  readonly unreadable: readonly string[];
}

/** One statement for all webhooks. */
export async function storedWebhooks(reader: Reader): Promise<StoredWebhooks> {
  const all =
    command(`SELECT id, anyIf(text, is_definition) AS value, anyIf(text, NOT is_definition) AS progress
FROM (
  SELECT id, value AS text, 1 AS is_definition FROM webhooks FINAL
  UNION ALL SELECT id, value AS text, 0 AS is_definition FROM webhook_progress FINAL
)
GROUP BY id HAVING value != ''`);
  return webhooksOf(await reader.rows(select(WEBHOOK_ROW, all)));
}

/** Without the progress of a webhook it would begin again, so a row is readable only as a whole. */
function webhooksOf(rows: readonly v.InferOutput<typeof WEBHOOK_ROW>[]): StoredWebhooks {
  const webhooks: StoredWebhook[] = [];
  const unreadable: string[] = [];
  for (const { id, value, progress } of rows) {
    const stored = { id, webhook: value, progress: progress === '' ? undefined : progress };
    const { success, output } = v.safeParse(STORED_WEBHOOK, stored);
    if (success) webhooks.push({ ...output, progress: output.progress });
    else unreadable.push(id);
  }
  webhooks.sort((one, other) => compare(one.webhook.createdAt, other.webhook.createdAt));
  return { webhooks, unreadable };
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
  return versionAfter(row?.version ?? 0);
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

/** Reads webhooks from the database, and stores their progress. */

import * as v from 'valibot';
import type { Engine, Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, plainStatement, raw, sql, statementOf } from '../plan/sql.ts';
import { revokedTokens } from '../store/token-table.ts';
import { PROGRESS, type Progress } from './progress.ts';
import { controllingTokenId, WEBHOOK, type Webhook } from './webhook.ts';

export interface StoredWebhook {
  readonly id: string;
  readonly webhook: Webhook;
  readonly definition: StoredDefinition;
  /** Undefined until a delivery stores it for the first time. */
  readonly progress: Progress | undefined;
  /** Whether its token (`controllingTokenId`) is revoked. The webhook then delivers nothing. */
  readonly isRevoked: boolean;
  /** The revoked token whose stop of this webhook was announced last. */
  readonly announced: string | undefined;
}

/** The row of a definition, on which a change of the webhook is based. */
export interface StoredDefinition {
  readonly version: number;
  readonly value: string;
}

/** A webhook that this version cannot read, such as one of a later version. */
export interface UnreadableWebhook {
  readonly id: string;
  readonly createdBy: string | undefined;
}

/** All webhooks that are not removed. */
export interface StoredWebhooks {
  /** Oldest first. */
  readonly webhooks: readonly StoredWebhook[];
  readonly unreadable: readonly UnreadableWebhook[];
}

const VALUE = v.object({ id: v.string(), value: v.string() });

const WEBHOOK_ROW = v.object({
  ...VALUE.entries,
  version: INTEGER,
  progress: v.string(),
  creator: v.string(),
  announced: v.string(),
});

const READABLE = v.object({
  webhook: v.pipe(v.string(), v.parseJson(), WEBHOOK),
  progress: v.optional(v.pipe(v.string(), v.parseJson(), PROGRESS)),
});

/**
 * Id prefix of rows in `webhook_progress` with the creator of a webhook. The definition names the creator too,
 * but older versions of the service drop it when they change the definition.
 */
const CREATOR = 'creator/';

/** Id prefix of rows in `webhook_progress` with the revoked token whose stop of a webhook was announced. */
const ANNOUNCED = 'announced/';

/** Reads all webhooks with one statement, and their tokens with another. */
export async function storedWebhooks(reader: Reader): Promise<StoredWebhooks> {
  const all =
    plainStatement(`SELECT webhook AS id, anyIf(text, kind = 'definition') AS value, anyIf(number, kind = 'definition') AS version,
  anyIf(text, kind = '') AS progress,
  anyIf(text, kind = '${CREATOR}') AS noted, JSONExtractString(value, 'createdBy') AS named, if(named != '', named, noted) AS creator,
  anyIf(text, kind = '${ANNOUNCED}') AS announced
FROM (
  SELECT id AS webhook, value AS text, version AS number, 'definition' AS kind FROM webhooks FINAL
  UNION ALL SELECT substring(id, position(id, '/') + 1) AS webhook, value AS text, version AS number,
    substring(id, 1, position(id, '/')) AS kind FROM webhook_progress FINAL
)
GROUP BY webhook HAVING value != ''`);
  const rows = await reader.rows(select(WEBHOOK_ROW, all));
  const read = rows.map(readRow);
  const readable = read.flatMap(({ found }) => found ?? []);
  const unreadable = read.flatMap(({ id, createdBy, found }) =>
    found === undefined ? [{ id, createdBy }] : [],
  );
  const authorities = readable.flatMap(({ webhook }) => controllingTokenId(webhook) ?? []);
  const revoked = authorities.length === 0 ? NOBODY : await revokedTokens(reader, authorities);
  const webhooks = readable
    .map((one) => ({ ...one, isRevoked: revoked.has(controllingTokenId(one.webhook) ?? '') }))
    .sort((one, other) => compare(one.webhook.createdAt, other.webhook.createdAt));
  return { webhooks, unreadable };
}

const NOBODY: ReadonlySet<string> = new Set();

/** A webhook with unreadable progress is unreadable, too. Otherwise it would deliver from its start again. */
function readRow({ id, value, version, progress, ...row }: v.InferOutput<typeof WEBHOOK_ROW>) {
  const createdBy = row.creator === '' ? undefined : row.creator;
  const announced = row.announced === '' ? undefined : row.announced;
  const stored = { webhook: value, progress: progress === '' ? undefined : progress };
  const { success, output } = v.safeParse(READABLE, stored);
  if (!success) return { id, createdBy };
  const webhook: Webhook =
    createdBy === undefined ? output.webhook : { ...output.webhook, createdBy };
  const definition = { version, value };
  return {
    id,
    createdBy,
    found: { id, webhook, definition, progress: output.progress, announced },
  };
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

export const storedProgress = async (reader: Reader, id: string): Promise<Progress | undefined> =>
  progressOf(await storedText(reader, 'webhook_progress', id));

/** The newest value with an id; empty if there is none. */
export async function storedText(
  reader: Reader,
  table: StoredValue['table'],
  id: string,
): Promise<string> {
  const statement = statementOf(
    sql`SELECT id, value FROM ${raw(table)} FINAL WHERE id = ${bind('String', id)}`,
  );
  return (await reader.rows(select(VALUE, statement)))[0]?.value ?? '';
}

const progressOf = (text: string): Progress | undefined =>
  text === '' ? undefined : v.parse(PROGRESS, JSON.parse(text));

/** The maximum number of versions of one generation. */
const VERSIONS = 2 ** 32;

/** A later generation always has a greater version, so a slow process cannot replace newer progress. */
export async function storeProgress(engine: Engine, id: string, progress: Progress): Promise<void> {
  const version = progress.generation * VERSIONS + progress.sequence;
  await store(engine, { table: 'webhook_progress', id, version, value: JSON.stringify(progress) });
}

export async function noteCreator(engine: Engine, id: string, createdBy = ''): Promise<void> {
  if (createdBy === '') return;
  const row = {
    table: 'webhook_progress',
    id: CREATOR + id,
    version: 0,
    value: createdBy,
  } as const;
  await store(engine, row);
}

/** Stores that the stop of a webhook was announced. Another token takes over in a later generation. */
export async function noteAnnounced(
  engine: Engine,
  { id, webhook }: Pick<StoredWebhook, 'id' | 'webhook'>,
): Promise<void> {
  await store(engine, {
    table: 'webhook_progress',
    id: ANNOUNCED + id,
    version: webhook.generation,
    value: controllingTokenId(webhook) ?? '',
  });
}

interface StoredValue {
  readonly table: 'webhooks' | 'webhook_progress';
  readonly id: string;
  readonly version: number;
  readonly value: string;
}

/** No report reads the tables, so caches of reports stay valid. */
export async function store(
  engine: Engine,
  { table, id, version, value }: StoredValue,
): Promise<void> {
  await engine.execute(
    statementOf(sql`INSERT INTO ${raw(table)}
SELECT ${bind('String', id)}, ${bind('UInt64', version)}, ${bind('String', value)}`),
    { changes: 'nothing' },
  );
}

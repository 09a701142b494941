/** What a backup says of itself: its origin, and the number and fingerprint of the rows of each table. */

import * as v from 'valibot';
import type { Engine } from '../engine/engine.ts';
import { RECORD_HASH } from '../plan/report-table.ts';
import { INTEGER, select } from '../plan/select.ts';
import { literal, plainStatement } from '../plan/sql.ts';
import { readJson } from '../read-json.ts';
import { TRANSACTION_TABLES } from '../schema/transaction-tables.ts';

const CONTENT = v.object({ rows: INTEGER, fingerprint: v.string() });

/** The number and the fingerprint of a table's rows, without replaced versions. */
export type TableDigest = v.InferOutput<typeof CONTENT>;

const FACTS = v.object({
  version: v.string(),
  time_zone: v.string(),
  /** What each role sees of IP addresses. */
  ip_addresses: v.string(),
  /** The number of shards of the database. */
  shards: v.number(),
  /** By table. The backup of a shard describes only the rows of that shard. */
  contents: v.record(v.string(), CONTENT),
});

export type BackupFacts = v.InferOutput<typeof FACTS>;

/** Creates a table with the facts. */
export async function writeFacts(server: Engine, table: string, facts: BackupFacts): Promise<void> {
  const text = literal(JSON.stringify(facts));
  await server.execute(
    plainStatement(
      `CREATE TABLE ${table} ENGINE = MergeTree ORDER BY tuple() AS SELECT ${text} AS facts`,
    ),
  );
}

export async function readFacts(server: Engine, table: string): Promise<BackupFacts> {
  const statement = plainStatement(`SELECT facts FROM ${table}`);
  const [row] = await server.rows(select(v.object({ facts: v.string() }), statement));
  return readJson(FACTS, row?.facts ?? '');
}

/**
 * Counts and hashes the rows without replaced versions, so merges do not change the result.
 *
 * Transactions have a stored hash of their record. Other rows are few and short, so they are hashed here.
 */
export async function digestOfTable(
  server: Engine,
  table: string,
  copy: string,
): Promise<TableDigest> {
  const isHashed = TRANSACTION_TABLES.some((one) => one.table === table);
  const hash = isHashed ? RECORD_HASH : 'cityHash64(toString(tuple(*)))';
  const text = `SELECT count() AS rows, concat(toString(sum(hash)), '-', toString(groupBitXor(hash))) AS fingerprint
FROM (SELECT ${hash} AS hash FROM ${copy} FINAL)`;
  const [content] = await server.rows({
    ...select(CONTENT, plainStatement(text)),
    isScan: true,
  });
  return content ?? { rows: 0, fingerprint: '' };
}

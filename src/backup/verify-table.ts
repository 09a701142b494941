/** Compares a restored table with what the backup says of it, before it becomes visible. */

import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { VERSION } from '../contract/version.ts';
import { type Engine, EngineFailure } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { UserError } from '../user-error.ts';
import { type BackupFacts, digestOfTable } from './backup-facts.ts';

interface RestoredTable {
  readonly server: Engine;
  readonly table: string;
  /** The table in use, to which the rows of `copy` will be attached. It has the columns of this version. */
  readonly target: string;
  readonly copy: string;
}

export async function verifyTable(restored: RestoredTable, facts: BackupFacts): Promise<void> {
  const { server, table, target, copy } = restored;
  const columns = await columnsOf(server, copy);
  if (!isDeepStrictEqual(columns, await columnsOf(server, target))) throw otherVersion(facts);
  await readAll(server, copy, columns).catch((cause: unknown) => {
    // A server may set a time limit of its own.
    const isFault = cause instanceof EngineFailure && !cause.isTransient && !cause.isTimeout;
    throw isFault ? damaged(table, cause) : cause;
  });
  const content = await digestOfTable(server, table, copy);
  if (!isDeepStrictEqual(content, facts.contents[table])) throw damaged(table);
}

/** With another expression, the records that a column has would differ from those that this version renders. */
const COLUMN = v.object({
  name: v.string(),
  type: v.string(),
  default_kind: v.string(),
  default_expression: v.string(),
});

type Column = v.InferOutput<typeof COLUMN>;

async function columnsOf(server: Engine, table: string): Promise<readonly Column[]> {
  const text =
    plainStatement(`SELECT name, type, default_kind, default_expression FROM system.columns
WHERE database = currentDatabase() AND table = '${table}' ORDER BY name`);
  return await server.rows(select(COLUMN, text));
}

/** Reads all columns, because the engine compares each block that it reads with the block's checksum. */
async function readAll(server: Engine, copy: string, columns: readonly Column[]): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ');
  const text = plainStatement(`SELECT count() AS rows FROM ${copy} WHERE NOT ignore(${names})`);
  await server.rows({ ...select(v.object({ rows: INTEGER }), text), isScan: true });
}

/** Parts can only be attached to a table with the same columns. */
const otherVersion = ({ version }: BackupFacts): UserError =>
  new UserError(
    `The backup comes from version ${version}, whose tables differ from those of version ${VERSION}.`,
    `Restore it with version ${version}. Then update, which migrates the database.`,
  );

const damaged = (table: string, cause?: unknown): UserError =>
  new UserError(
    `The backup is damaged: the table ${table} differs from what was backed up. Nothing was restored.`,
    'Restore an earlier backup.',
    { cause },
  );

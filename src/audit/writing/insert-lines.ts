/** Inserts lines of the audit log into the database: from a temporary file, or as the body of the statement. */

import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Engine, ExecuteOptions } from '../../engine/engine.ts';
import { literal, plainStatement, type Statement } from '../../plan/sql.ts';
import type { LineBatch } from './line-buffer.ts';

export interface LineTarget {
  readonly engine: Engine;
  /** Where the embedded engine reads lines from a temporary file; undefined for servers. */
  readonly directory: string | undefined;
}

/** Lets a cluster accept rows while one of its servers is down. That server gets its rows later. */
const IN_BACKGROUND = 'SETTINGS distributed_foreground_insert = 0';

/** Stores lines, each with its line break; a part has one or more of them. A line that is stored twice is read once. */
export async function insertLines(
  { engine, directory }: LineTarget,
  parts: LineBatch['parts'],
  signal: AbortSignal,
): Promise<void> {
  const options = { signal, changes: 'nothing' } as const;
  if (directory === undefined) await insertFromBody(engine, parts, options);
  else await insertFromFile(engine, directory, parts, options);
}

/**
 * Reading the lines from a file costs the engine a third of what parsing them as a literal would cost.
 *
 * The lines cannot follow the statement as inline data, because a semicolon in them would end it.
 */
async function insertFromFile(
  engine: Engine,
  directory: string,
  parts: LineBatch['parts'],
  options: ExecuteOptions,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = resolve(join(directory, `${randomUUID()}.lines`));
  try {
    await writeFile(path, parts, { mode: 0o600 });
    const source = `file(${literal(path)}, 'LineAsString', 'text String')`;
    await engine.execute(insertStatement(source), options);
  } finally {
    await rm(path, { force: true });
  }
}

async function insertFromBody(
  engine: Engine,
  parts: LineBatch['parts'],
  options: ExecuteOptions,
): Promise<void> {
  // A copy, because the connection of a failed statement may still need it when the lines have been freed.
  const text = Buffer.concat(parts);
  const body = () => Readable.from([text]);
  const insert = async (settings: string) => {
    const statement = insertStatement("input('text String')", settings, 'FORMAT LineAsString');
    await engine.execute(statement, { ...options, body });
  };
  try {
    await insert('');
  } catch (error) {
    if (engine.each().length === 1) throw error;
    await insert(IN_BACKGROUND);
  }
}

const insertStatement = (source: string, settings = '', format = ''): Statement =>
  plainStatement(`INSERT INTO audit ${settings}
SELECT parseDateTime64BestEffort(found.at, 3, 'UTC'), found.id, found.event, found.principal, text
FROM (SELECT text, JSONExtract(text, 'Tuple(at String, id String, event String, principal String)') AS found
  FROM ${source}) ${format}`);

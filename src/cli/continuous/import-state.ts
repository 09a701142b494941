/** The state file of a continuous import: until when its sources were imported. */

import { access, constants, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { readJson } from '../../read-json.ts';
import { UserError } from '../../user-error.ts';

/** The sources, flags and database of an import. A state file is valid only for the same ones. */
export interface ImportIdentity {
  /** Without users and passwords. */
  readonly sources: readonly string[];
  /** The hash of the mapping and of the flags that change how values are read. */
  readonly reading: string;
  /** Identifies the database; a restored backup has another number. Null if an older server has the database open. */
  readonly database: number | null;
}

/** The state file belongs to another import. */
export class StateRefused extends UserError {
  constructor(path: string, difference: string) {
    super(
      `${path} is the state of an import ${difference}.`,
      'Name another file with --state, or delete this one to import everything again.',
    );
  }
}

export const OTHER_DATABASE = 'into another database, or before a backup was restored';

const STATE = v.strictObject({
  sources: v.array(v.string()),
  reading: v.string(),
  database: v.nullable(v.number()),
  /** All changes that the sources had at this instant are imported. */
  read_until: v.pipe(v.string(), v.isoTimestamp()),
});

/** The instant until which the sources are imported; undefined without a file. */
export async function readStateFile(
  path: string,
  identity: ImportIdentity,
): Promise<Date | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UserError(`--state ${path} cannot be read: ${error.code}.`, 'Name another file.', {
      cause: error,
    });
  });
  if (text === undefined) return undefined;
  const state = parsed(path, text);
  const difference = differenceOf(state, identity);
  if (difference === undefined) return new Date(state.read_until);
  throw new StateRefused(path, difference);
}

function differenceOf(
  state: v.InferOutput<typeof STATE>,
  { sources, reading, database }: ImportIdentity,
): string | undefined {
  if (state.sources.join('\n') !== sources.join('\n')) return `of ${state.sources.join(', ')}`;
  if (state.reading !== reading) return 'with another mapping or other flags';
  if (state.database !== database) return OTHER_DATABASE;
  return undefined;
}

function parsed(path: string, text: string): v.InferOutput<typeof STATE> {
  try {
    return readJson(STATE, text);
  } catch (cause) {
    throw new UserError(
      `${path} is not the state of a continuous import.`,
      'Name another file with --state, or delete this one to import everything again.',
      { cause },
    );
  }
}

/** Throws a UserError if this user cannot write to the directory of the file. */
export async function requireWritableState(path: string): Promise<void> {
  try {
    await access(dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new UserError(
      `--state ${path} cannot be written${code}.`,
      'Name a file in an existing directory that this user can write to.',
      { cause: error },
    );
  }
}

/** Replaces the file atomically, so that it is complete even after a power cut. */
export async function writeStateFile(
  path: string,
  identity: ImportIdentity,
  readUntil: Date,
): Promise<void> {
  const draft = `${path}.part`;
  const state = { ...identity, read_until: readUntil.toISOString() };
  // Flushed before the rename, because a power cut could otherwise leave an empty file.
  await writeFile(draft, `${JSON.stringify(state)}\n`, { flush: true, mode: 0o600 });
  await rename(draft, path);
}

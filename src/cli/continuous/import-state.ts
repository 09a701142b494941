/** The file in which a continuous import keeps how far it has read its sources. */

import { readFile, rename, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { readJson } from '../../read-json.ts';
import { UserError } from '../../user-error.ts';

const STATE = v.strictObject({
  /** Without users and passwords. */
  sources: v.array(v.string()),
  /** All changes that the sources had at this instant are imported. */
  read_until: v.pipe(v.string(), v.isoTimestamp()),
});

/** The instant until which the sources are imported; undefined without a file. */
export async function readImportState(
  path: string,
  sources: readonly string[],
): Promise<Date | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new UserError(`--state ${path} cannot be read: ${error.code}.`, 'Name another file.', {
      cause: error,
    });
  });
  if (text === undefined) return undefined;
  const state = parsed(path, text);
  if (state.sources.join('\n') === sources.join('\n')) return new Date(state.read_until);
  throw new UserError(
    `${path} is the state of an import of ${state.sources.join(', ')}.`,
    'Name another file with --state, one for each continuous import.',
  );
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

/** Replaces the file atomically. */
export async function writeImportState(
  path: string,
  sources: readonly string[],
  readUntil: Date,
): Promise<void> {
  const draft = `${path}.part`;
  const state = { sources, read_until: readUntil.toISOString() };
  await writeFile(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

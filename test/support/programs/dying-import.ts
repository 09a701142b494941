/** Imports in a process that kills itself after a statement. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMPILED } from './compiled-modules.ts';

const PROCESS = fileURLToPath(new URL('dying-import-process.ts', import.meta.url));

export interface DyingImport {
  /** What it died of, if it did. */
  readonly signal: NodeJS.Signals | undefined;
  /** How many statements there were, if it survived, and which said that the import is complete. */
  readonly statements: number;
  readonly complete: number;
}

/** A crash right after the statement of this number; there is none after number 0. */
export async function importDying(url: string, path: string, number: number): Promise<DyingImport> {
  const { promise, resolve, reject } = Promise.withResolvers<DyingImport>();
  const args = ['--disable-warning=ExperimentalWarning', PROCESS, url, path, String(number)];
  execFile(process.execPath, args, { env: { ...process.env, ...COMPILED } }, (error, output) => {
    const signal = error?.signal ?? undefined;
    if (error && signal === undefined) reject(error);
    else if (signal !== undefined) resolve({ signal, statements: 0, complete: 0 });
    else resolve({ signal, ...JSON.parse(output) });
  });
  return await promise;
}

/** Imports in a process that kills itself after a statement. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMPILED } from '../programs/compiled-modules.ts';

const PROCESS = fileURLToPath(new URL('dying-import-process.ts', import.meta.url));

export interface DyingImport {
  /** The signal that killed it, if it died. */
  readonly signal: NodeJS.Signals | undefined;
  /** How many statements it counted; 0 if it died. */
  readonly statements: number;
  /** Which statement, from 1, marked the import as complete; 0 if it died. */
  readonly complete: number;
}

/**
 * Imports in a process that crashes right after the statement with this number; 0 for no crash. Or right before the
 * first statement with this text, or right after it if the text begins with `after `.
 */
export async function importDying(
  url: string,
  path: string,
  moment: number | string,
): Promise<DyingImport> {
  const { promise, resolve, reject } = Promise.withResolvers<DyingImport>();
  const args = ['--disable-warning=ExperimentalWarning', PROCESS, url, path, String(moment)];
  execFile(process.execPath, args, { env: { ...process.env, ...COMPILED } }, (error, output) => {
    const signal = error?.signal ?? undefined;
    if (error && signal === undefined) reject(error);
    else if (signal !== undefined) resolve({ signal, statements: 0, complete: 0 });
    else resolve({ signal, ...JSON.parse(output) });
  });
  return await promise;
}

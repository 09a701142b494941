/** Erases in a process that kills itself after a statement. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ErasureCommand } from '../../../src/erasure/selectors.ts';
import { COMPILED } from '../programs/compiled-modules.ts';

const PROCESS = fileURLToPath(new URL('dying-erasure-process.ts', import.meta.url));

export interface DyingErasure {
  /** The signal that killed it, if it died. */
  readonly signal: NodeJS.Signals | undefined;
  /** How many statements it executed; 0 if it died. */
  readonly statements: number;
  /** Which statement, from 1, was the first to mark the erasure as begun; 0 if it died. */
  readonly begun: number;
}

/**
 * Erases in a process that crashes right after the statement with this number, or right before the first one that has
 * this text; 0 for no crash.
 */
export async function eraseDying(
  url: string,
  order: ErasureCommand,
  moment: number | string,
): Promise<DyingErasure> {
  const { promise, resolve, reject } = Promise.withResolvers<DyingErasure>();
  const program = ['--disable-warning=ExperimentalWarning', PROCESS];
  const args = [...program, url, JSON.stringify(order), String(moment)];
  execFile(process.execPath, args, { env: { ...process.env, ...COMPILED } }, (error, output) => {
    const signal = error?.signal ?? undefined;
    if (error && signal === undefined) reject(error);
    else if (signal !== undefined) resolve({ signal, statements: 0, begun: 0 });
    else resolve({ signal, ...JSON.parse(output) });
  });
  return await promise;
}

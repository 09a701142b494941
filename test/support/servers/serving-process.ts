/** Runs `transactions serve` in a separate process, which tests can kill. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { databaseWithManySales, MANY_SALES } from '../databases/inserted/many-sales.ts';
import { COMPILED } from '../programs/compiled-modules.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/transactions.js', import.meta.url));

/** An embedded database that no process has open, with many sales and an administrator's token. */
export interface ClosedDatabase {
  readonly url: string;
  readonly token: string;
  remove(): Promise<void>;
}

export async function databaseOfManySales(rows: number): Promise<ClosedDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-serving-'));
  const url = `chdb:${directory}/db`;
  await databaseWithManySales(rows)(`${directory}/db`, 'Europe/Paris');
  const operator = new LocalOperator(await openDatabase({ url, timeZone: 'Europe/Paris' }));
  const { token } = await operator.createToken({
    role: 'admin',
    publisherIds: [],
    programIds: [],
  });
  await operator.close();
  return { url, token, remove: async () => await rm(directory, { recursive: true, force: true }) };
}

export interface ServingProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** The path of the list of all sales, with its query. */
  readonly listPath: string;
  readonly authorization: string;
  /** Resolves to the exit code, or to the name of the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  /**
   * The number of log lines about requests that were refused without a valid token. Lines about no request
   * count too, because one of them reports how many refusals were not logged.
   */
  refusals(): number;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the process and waits until it serves. */
export async function startServing(
  { url, token }: ClosedDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServingProcess> {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--database', url], {
    env: { ...process.env, ...COMPILED, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  let refusals = 0;
  const onLine = ({ principal, status }: LogLine) => {
    if (status === undefined || (principal === null && status >= 400)) refusals += 1;
  };
  return {
    child,
    url: await servedUrl(child, onLine),
    listPath: `/api/admin/transactions?${MANY_SALES}`,
    authorization: `Bearer ${token}`,
    ended,
    refusals: () => refusals,
    kill: (signal) => void child.kill(signal),
  };
}

interface LogLine {
  readonly msg: string;
  readonly url?: string;
  readonly status?: number;
  readonly principal?: string | null;
}

async function servedUrl(child: ChildProcess, onLine: (line: LogLine) => void): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (child.stdout === null) throw new TypeError('The process has no output.');
  // The log must be read, or the process would block when the pipe is full.
  createInterface({ input: child.stdout }).on('line', (line) => {
    const parsed = JSON.parse(line) as LogLine;
    onLine(parsed);
    const { msg, url } = parsed;
    if (msg === 'serving' && url !== undefined) resolve(url);
  });
  child.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)));
  return await promise;
}

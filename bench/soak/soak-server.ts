/** The served process of a soak, which is killed and started again on the same port. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { memoryOf } from '../process-memory.ts';

const COMMAND = fileURLToPath(new URL('../../bin/transactions.js', import.meta.url));

/** Attempts to start a server that finds its database in use. */
const ATTEMPTS = 60;
/** Milliseconds between two attempts. */
const RETRY_DELAY = 500;

export class SoakServer {
  readonly #database: string;
  #child: ChildProcess | undefined;
  #port = '0';
  url = '';
  isServing = false;

  constructor(database: string) {
    this.#database = database;
  }

  /** Tries several times: a command that ran while the server was dead keeps the database open until it ends. */
  async start(): Promise<void> {
    for (let attempt = 1; !(await this.#tryStart()); attempt += 1) {
      if (attempt === ATTEMPTS) throw new Error('The server does not start.');
      await sleep(RETRY_DELAY);
    }
  }

  async #tryStart(): Promise<boolean> {
    const child = spawn(process.execPath, [COMMAND, 'serve', '--database', this.#database], {
      env: { ...process.env, PORT: this.#port, REQUESTS_PER_MINUTE: '0', LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
      if (msg !== 'serving' || url === undefined) continue;
      child.stdout.resume();
      this.url = url;
      this.#port = new URL(url).port;
      this.isServing = true;
      return true;
    }
    return false;
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    this.isServing = false;
    const exit = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exit;
  }

  /** Runs a command of `transactions` on the same database; returns its output. */
  async run(...args: readonly string[]): Promise<string> {
    const all = [COMMAND, ...args, '--database', this.#database];
    return (await promisify(execFile)(process.execPath, all)).stdout;
  }

  /** Megabytes. */
  async memory(): Promise<number> {
    return await memoryOf(this.#child?.pid, 'now');
  }

  /** Open files and connections. */
  async handles(): Promise<number> {
    return (await readdir(`/proc/${this.#child?.pid}/fd`)).length;
  }
}

/** A real ClickHouse server for tests and benchmarks, from the library of the embedded engine. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NO_COMPILATION } from '../../../src/engine/chdb/session-settings.ts';
import { freePort } from '../programs/free-port.ts';

const PROGRAM = fileURLToPath(new URL('clickhouse-program.mjs', import.meta.url));

/** Lets the server write backups to any directory. */
export const BACKUPS = '<backups><allowed_path>/</allowed_path></backups>';

/** Milliseconds until a server must answer, also on a busy machine. */
const START_LIMIT = 60_000;

/** A start may fail because another program has taken the free port. Ports that the caller gives stay the same. */
const START_ATTEMPTS = 3;

/** Characters of the server's output that the error of a failed start shows. */
const SHOWN_OUTPUT = 2_000;

/** Compiling the parts of a statement takes 10 to 30 ms, and tests send few statements that save as much. */
const WITHOUT_COMPILATION = Object.entries(NO_COMPILATION).map(
  ([name, value]) => `--${name}=${value}`,
);

interface ServerOptions {
  /** The port of the native protocol. */
  readonly tcp?: number;
  /** The path of a configuration file. */
  readonly config?: string;
  /** Whether statements that are sent often are compiled, which pays off with many rows. */
  readonly compiles?: boolean;
}

export class ClickHouseServer {
  /** The URL of its HTTP interface. */
  readonly url: string;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #output = '';

  private constructor(url: string, args: readonly string[]) {
    this.url = url;
    const all = ['--experimental-ffi', '--disable-warning=ExperimentalWarning', PROGRAM, ...args];
    this.#child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output = (this.#output + chunk).slice(-SHOWN_OUTPUT);
      });
    }
  }

  /** Starts a server on a directory; it listens on loopback only. Tries again with other free ports. */
  static async start(
    directory: string,
    port?: number,
    { tcp, config, compiles = false }: ServerOptions = {},
  ): Promise<ClickHouseServer> {
    const file = config ?? join(directory, 'server.xml');
    await mkdir(directory, { recursive: true });
    if (config === undefined) await writeFile(file, `<clickhouse>${BACKUPS}</clickhouse>`);
    const failures: string[] = [];
    while (failures.length < START_ATTEMPTS) {
      const http = port ?? (await freePort());
      const ports = [http, tcp ?? (await freePort())].map(String);
      const args = [directory, ...ports, file, ...(compiles ? [] : WITHOUT_COMPILATION)];
      const server = new ClickHouseServer(`http://127.0.0.1:${http}`, args);
      if (await server.#answers()) return server;
      await server.kill();
      failures.push(server.#output.trim() || 'no output');
    }
    throw new Error(`The ClickHouse server did not start:\n${failures.join('\n')}`);
  }

  async #answers(): Promise<boolean> {
    const limit = performance.now() + START_LIMIT;
    while (performance.now() < limit && this.#isRunning) {
      // Another program on the port may accept connections and never answer.
      const signal = AbortSignal.timeout(5_000);
      const response = await fetch(`${this.url}/ping`, { signal }).catch(() => undefined);
      if (response?.ok) return this.#isRunning;
      await sleep(50);
    }
    return false;
  }

  get #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Freezes or resumes it; its connections stay open. */
  freeze(isFrozen: boolean): void {
    this.#child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Kills it, like a power cut. */
  async kill(): Promise<void> {
    if (!this.#isRunning) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

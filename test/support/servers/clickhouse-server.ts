/** A real ClickHouse server for tests and benchmarks, from the library of the embedded engine. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('clickhouse-program.mjs', import.meta.url));

/** Lets the server write backups to any directory. */
export const BACKUPS = '<backups><allowed_path>/</allowed_path></backups>';

/** Milliseconds until a server must answer. */
const START_LIMIT = 120_000;

interface ServerOptions {
  /** The port of the native protocol. */
  readonly tcp?: number;
  /** The path of a configuration file. */
  readonly config?: string;
}

export class ClickHouseServer {
  /** The URL of its HTTP interface. */
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts a server on a directory; it listens on loopback only. */
  static async start(
    directory: string,
    port?: number,
    { tcp, config }: ServerOptions = {},
  ): Promise<ClickHouseServer> {
    const http = port ?? (await freePort());
    const args = ['--experimental-ffi', '--disable-warning=ExperimentalWarning', PROGRAM];
    const ports = [String(http), String(tcp ?? (await freePort()))];
    const file = config ?? join(directory, 'server.xml');
    await mkdir(directory, { recursive: true });
    if (config === undefined) await writeFile(file, `<clickhouse>${BACKUPS}</clickhouse>`);
    const places = [directory, ...ports, file];
    const child = spawn(process.execPath, [...args, ...places], { stdio: 'ignore' });
    const server = new ClickHouseServer(child, `http://127.0.0.1:${http}`);
    await server.#answers();
    return server;
  }

  async #answers(): Promise<void> {
    const limit = performance.now() + START_LIMIT;
    while (performance.now() < limit) {
      const response = await fetch(`${this.url}/ping`).catch(() => undefined);
      if (response?.ok) return;
      await sleep(50);
    }
    throw new Error('The ClickHouse server did not start.');
  }

  /** Freezes or resumes it; its connections stay open. */
  freeze(isFrozen: boolean): void {
    this.#child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Kills it, like a power cut. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}

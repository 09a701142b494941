/** The service in its own process, as in production, with a monitor of its memory. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memoryOf, memoryText } from './process-memory.ts';

const COMMAND = fileURLToPath(new URL('../bin/transactions.js', import.meta.url));

/** Hundredths of a second of CPU time. A process that uses less in a second is idle. */
const IDLE_TICKS = 10;

/** Milliseconds between two readings of the memory. */
const WATCH_INTERVAL = 100;

/** Environment variables of the server. */
type Settings = Readonly<Record<string, string>>;

export class ServerProcess {
  readonly url: string;
  /** The URL of the metrics; empty if the settings do not turn them on. */
  readonly metricsUrl: string;
  readonly #child: ChildProcess;
  readonly #watch: NodeJS.Timeout;
  #mostOwn = 0;

  private constructor(child: ChildProcess, url: string, metricsUrl: string) {
    this.#child = child;
    this.url = url;
    this.metricsUrl = metricsUrl;
    this.#watch = setInterval(() => void this.#noteMemory(), WATCH_INTERVAL);
  }

  private static async start(database: string, settings: Settings): Promise<ServerProcess> {
    const args = [COMMAND, 'serve', '--port', '0', '--database', database];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, REQUESTS_PER_MINUTE: '0', CONCURRENT_DOWNLOADS: '0', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let metricsUrl = '';
    for await (const line of createInterface({ input: child.stdout })) {
      const { msg, url, metrics } = JSON.parse(line) as Record<string, string | undefined>;
      metricsUrl = metrics ?? metricsUrl;
      if (msg === 'serving' && url !== undefined) {
        child.stdout.resume();
        return new ServerProcess(child, url, metricsUrl);
      }
    }
    throw new Error('The server exited before it was ready.');
  }

  /** Serves a database while `use` runs. */
  static async during<Result>(
    database: string,
    use: (server: ServerProcess) => Promise<Result>,
    settings: Settings = {},
  ): Promise<Result> {
    const server = await ServerProcess.start(database, settings);
    try {
      return await use(server);
    } finally {
      await server.stop();
    }
  }

  /** Peak or current memory of the process in megabytes. */
  async memory(which: 'peak' | 'now'): Promise<number> {
    return await memoryOf(this.#child.pid, which);
  }

  /** Peak memory, with and without pages of files. The figure without them comes from samples, ten a second. */
  async peakMemory(): Promise<string> {
    return memoryText({ all: await this.memory('peak'), own: this.#mostOwn });
  }

  async #noteMemory(): Promise<void> {
    const own = await memoryOf(this.#child.pid, 'own').catch(() => 0);
    this.#mostOwn = Math.max(this.#mostOwn, own);
  }

  /** Waits until the process has used little CPU for a second: its caches are filled. */
  async idle(): Promise<void> {
    let before = await this.#ticks();
    for (;;) {
      await sleep(1000);
      const now = await this.#ticks();
      if (now - before < IDLE_TICKS) return;
      before = now;
    }
  }

  /** The sum of a metric over its labels. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(this.metricsUrl)).text();
    const values = text.split('\n').filter((line) => /^\w+/.exec(line)?.[0] === name);
    return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** CPU time in hundredths of a second. */
  async #ticks(): Promise<number> {
    const stat = await readFile(`/proc/${this.#child.pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')'))
      .split(' ')
      .slice(12, 14)
      .map(Number);
    return user + system;
  }

  async stop(): Promise<void> {
    clearInterval(this.#watch);
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }
}

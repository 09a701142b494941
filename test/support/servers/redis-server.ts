/** A real Redis for tests, if it is installed. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../programs/free-port.ts';

const PROGRAM = (process.env.PATH ?? '')
  .split(delimiter)
  .map((directory) => join(directory, 'redis-server'))
  .find((path) => existsSync(path));

/** Without redis-server, the tests that need it are skipped. */
export const REDIS = { isMissing: PROGRAM === undefined };
if (REDIS.isMissing) console.warn('There is no redis-server here: tests that need it are skipped.');

export class RedisServer {
  readonly url: string;
  readonly #port: number;
  readonly #password: string;
  #child: ChildProcess;

  private constructor(port: number, password: string) {
    this.#port = port;
    this.#password = password;
    this.url = `redis://:${password}@127.0.0.1:${port}/0`;
    this.#child = this.#spawn();
  }

  static async start(password = 'r3dis-secret'): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), password);
    await server.#answers();
    return server;
  }

  #spawn(): ChildProcess {
    const options = ['--bind', '127.0.0.1', '--save', '', '--requirepass', this.#password];
    return spawn(PROGRAM ?? '', ['--port', String(this.#port), ...options], { stdio: 'ignore' });
  }

  /** A client for the test, to check the stored keys. */
  client(): Redis {
    return new Redis(this.url);
  }

  async #answers(): Promise<void> {
    const client = this.client();
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
  }

  /** Freezes or resumes it; its connections stay open. */
  freeze(isFrozen: boolean): void {
    this.#child.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** Restarts it empty. */
  async restart(): Promise<void> {
    this.#child = this.#spawn();
    await this.#answers();
  }
}

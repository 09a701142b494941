/**
 * Runs commands in a process that stays, so that only the first one loads the modules and the engine.
 *
 * A file of tests has one. It runs one command at a time.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './command.ts';

const PROCESS = fileURLToPath(new URL('command-runner-process.ts', import.meta.url));

export interface CommandOrder {
  readonly args: readonly string[];
  readonly directory: string;
  /** Environment variables, in addition to those of the process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string | Uint8Array;
}

export class CommandRunner {
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #isBusy = false;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  async run(order: CommandOrder): Promise<Outcome> {
    this.#isBusy = true;
    this.#child ??= this.#start();
    const child = this.#child;
    const ended = new AbortController();
    const { signal } = ended;
    try {
      const answered = once(child, 'message', { signal }).then(([outcome]) => outcome as Outcome);
      const died = once(child, 'exit', { signal }).then(([code, by]) => {
        throw new Error(`The process that runs commands ended with ${code ?? by}.`);
      });
      child.send(order);
      return await Promise.race([answered, died]);
    } finally {
      ended.abort();
      this.#isBusy = false;
    }
  }

  /** Ends the process, and a command that a failed test has left in it. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    if (this.#isBusy) child.kill('SIGKILL');
    else child.disconnect();
    await exited;
  }

  #start(): ChildProcess {
    const args = ['--disable-warning=ExperimentalWarning', PROCESS];
    return spawn(process.execPath, args, {
      env: this.#environment,
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }
}

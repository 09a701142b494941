/**
 * Runs commands in a process that stays, so that only the first one loads the modules and the engine.
 *
 * Each process that runs tests starts one such process, which runs one command at a time.
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

/** The number of commands after which a new process is started, so that memory does not grow for ever. */
const MAX_COMMANDS = 200;

/** Milliseconds after which a process that should end is killed. */
const PATIENCE = 30_000;

export class CommandRunner {
  readonly #environment: NodeJS.ProcessEnv;
  #commands = 0;
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
    this.#commands += 1;
    if (this.#commands % MAX_COMMANDS === 0) await this.#close((child) => child.disconnect());
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

  /** Ends the process if a failed test has left a command in it. */
  async closeIfBusy(): Promise<void> {
    if (this.#isBusy) await this.#close((child) => void child.kill('SIGKILL'));
  }

  async #close(end: (child: ChildProcess) => void): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    end(child);
    const overdue = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    await exited;
    clearTimeout(overdue);
  }

  #start(): ChildProcess {
    const args = ['--disable-warning=ExperimentalWarning', PROCESS];
    const child = spawn(process.execPath, args, {
      env: this.#environment,
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // The child ends with this process, because its channel is closed then.
    child.unref();
    child.channel?.unref();
    // If a child dies while it is idle, the next command starts another one.
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    return child;
  }
}

/** Runs commands of `transactions` one after the other, each as if it had this process to itself. */

import { flushCompileCache } from 'node:module';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { main } from '../../../src/cli/main.ts';
import type { Outcome } from './command.ts';
import type { CommandOrder } from './command-runner.ts';

const ENVIRONMENT = { ...process.env };
const exitNow = process.exit.bind(process);

/** Gives a command the directory, environment, input and exit code that a new process would have. */
function prepare({ directory, environment, input }: CommandOrder): void {
  process.chdir(directory);
  setEnvironment({ ...ENVIRONMENT, ...environment });
  const content = typeof input === 'string' ? Buffer.from(input) : input;
  const stdin = Readable.from([content], { objectMode: false });
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  // A command leaves its listener there, because a real one ends with its process.
  process.stdout.removeAllListeners('error');
  process.exitCode = undefined;
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) {
    if (!(name in environment)) delete process.env[name];
  }
  Object.assign(process.env, environment);
}

/** Collects what is written to a stream, until `end` is called. */
function capture(stream: NodeJS.WriteStream): { readonly text: () => string; end(): void } {
  const pieces: Uint8Array[] = [];
  let isOpen = true;
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    if (isOpen) pieces.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    const done = rest.find((each) => typeof each === 'function');
    if (done !== undefined) queueMicrotask(() => done());
    return true;
  };
  stream.write = write;
  return {
    text: () => Buffer.concat(pieces).toString(),
    end() {
      isOpen = false;
    },
  };
}

async function run(order: CommandOrder): Promise<Outcome> {
  prepare(order);
  const output = capture(process.stdout);
  const errors = capture(process.stderr);
  let exited: number | undefined;
  process.exit = (code) => {
    exited ??= Number(code ?? process.exitCode ?? 0);
    output.end();
    errors.end();
    throw new Error('The command has called process.exit.');
  };
  await main(order.args);
  await nextTurn();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeAllListeners(signal);
  const code = exited ?? Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, output: output.text(), errors: errors.text() };
}

process.on('message', async (order: CommandOrder) => {
  const outcome = await run(order);
  // Writes the cache now, so that processes that start before this one exits can use the compiled modules.
  flushCompileCache();
  process.send?.(outcome);
});
process.on('disconnect', () => exitNow());

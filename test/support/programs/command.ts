/** Runs the command `transactions` in a process of its own, or in one that test files share. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { IS_FULL } from '../run/test-extent.ts';
import { CommandRunner } from './command-runner.ts';
import { COMPILED } from './compiled-modules.ts';

export const COMMAND = fileURLToPath(new URL('../../../bin/transactions.js', import.meta.url));

export interface CommandEnvironment {
  readonly directory: string;
  /** Environment variables, in addition to the necessary ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments of Node. */
  readonly nodeArgs?: readonly string[];
}

export interface Outcome {
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string | null;
  readonly output: string;
  /** The text on standard error. */
  readonly errors: string;
}

const { PATH = '', HOME = '' } = process.env;

const ENVIRONMENT = { PATH, HOME, ...COMPILED };

/** Starts the command, without the settings in the environment of the test run. */
export function startCommand(
  args: readonly string[],
  { directory, environment = {}, nodeArgs = [] }: CommandEnvironment,
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [...nodeArgs, COMMAND, ...args], {
    cwd: directory,
    env: { ...ENVIRONMENT, ...environment },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Commands that still run. A failed test may leave one, which must end with its test file. */
const running = new Set<ChildProcessWithoutNullStreams>();

/** Ends the commands that a test file has left, before the next file in this process. */
export async function endCommands(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  await runner.closeIfBusy();
}

/** Collects the output of a process, and waits for its end. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { code: code ?? signal, output, errors };
}

const runner = new CommandRunner(ENVIRONMENT);

/** Commands that have succeeded in a process of their own in this run. */
const proven = new Set<string>();

const placeOf = (command: string): string =>
  join(inject('shared'), `proven-${encodeURIComponent(command)}`);

/** Whether a command has succeeded in a process of its own, in any file of this run. */
function isProven(command: string): boolean {
  if (!proven.has(command) && existsSync(placeOf(command))) proven.add(command);
  return proven.has(command);
}

/** The name of a command with its subcommand, and the kind of its database. Commands that share these start alike. */
function commandOf(args: readonly string[], database: string): string {
  const [name = '', next = ''] = args;
  const flag = args.indexOf('--database');
  const [scheme = ''] = (flag < 0 ? database : (args[flag + 1] ?? '')).split(':', 1);
  return [name, /^[a-z]+$/.test(next) ? next : '', scheme].join(' ');
}

/** Variables that Node.js or a module reads when it starts. */
const READ_AT_START = /^(NODE_|UV_|SSL_|TZ$|NO_COLOR$|FORCE_COLOR$|CI$)/;

/**
 * Whether a command gets a process of its own. In a full run, every command does. In `npm test`, it does if the
 * shared process is busy, if it serves until a signal, or if it is given something that Node.js reads at the start.
 */
const hasOwnProcess = (
  [name]: readonly string[],
  { environment = {}, nodeArgs = [] }: CommandEnvironment,
): boolean =>
  IS_FULL ||
  runner.isBusy ||
  name === 'serve' ||
  name === 'demo' ||
  nodeArgs.length > 0 ||
  Object.keys(environment).some((variable) => READ_AT_START.test(variable));

/**
 * Runs a command to its end. In `npm test`, each command has a process of its own until it has succeeded once in
 * the run. After that, it runs in the shared process.
 */
export async function runCommand(
  args: readonly string[],
  given: CommandEnvironment,
  input: string | Uint8Array = '',
): Promise<Outcome> {
  const { directory, environment = {} } = given;
  const command = commandOf(args, environment.DATABASE_URL ?? '');
  if (!hasOwnProcess(args, given) && isProven(command))
    return await runner.run({ args, directory, environment, input });
  const outcome = await runProcess(args, given, input);
  if (outcome.code === 0) mkdirSync(placeOf(command), { recursive: true });
  return outcome;
}

/** Like `runCommand`, but always in a process of its own, for example to measure how long the command takes. */
export async function runProcess(
  args: readonly string[],
  given: CommandEnvironment,
  input: string | Uint8Array = '',
): Promise<Outcome> {
  const child = startCommand(args, given);
  // A command that ends without reading its input breaks the pipe.
  child.stdin.on('error', () => undefined).end(input);
  return await outcomeOf(child);
}

export interface ServingCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  /** The lines of its log so far. */
  readonly log: readonly string[];
  /** The text on standard error so far. */
  said(): string;
  readonly ended: Promise<Outcome>;
  /** Stops it like an operator, and waits for its end. */
  stop(): Promise<Outcome>;
}

/** Starts `serve` or `demo` and waits until it serves. */
export async function startServing(
  args: readonly string[],
  given: CommandEnvironment,
): Promise<ServingCommand> {
  const child = startCommand(args, given);
  const ended = outcomeOf(child);
  const log: string[] = [];
  let said = '';
  child.stderr.on('data', (chunk: string) => {
    said += chunk;
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(line);
    const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
    if (msg === 'serving' && url !== undefined) resolve(url);
  });
  void ended.then(({ code, errors }) => reject(new Error(`It ended with ${code}: ${errors}`)));
  const url = await promise;
  const stop = async () => {
    child.kill('SIGTERM');
    return await ended;
  };
  return { child, url, log, said: () => said, ended, stop };
}

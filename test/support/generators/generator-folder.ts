/** Folder of a developer with code generators: those of this repository, or all of them from the registry. */

import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGES } from './generator-table.ts';

const MODULES = resolve(import.meta.dirname, '../../../node_modules');
const OF_CLIENT = resolve(import.meta.dirname, '../../../client/node_modules');

export interface GeneratorFolder {
  readonly folder: string;
  /** Runs a program of the packages; throws with its output if it fails. */
  run(program: string, ...parameters: readonly string[]): Promise<string>;
  /** Starts a program that runs until the test ends. */
  start(program: string, ...parameters: readonly string[]): void;
  close(): Promise<void>;
}

/** A folder with the generators. Undefined if the package registry cannot be reached. */
export async function generatorFolder(
  isFull: boolean,
  environment: Readonly<Record<string, string>>,
): Promise<GeneratorFolder | undefined> {
  const home = await mkdtemp(join(tmpdir(), 'generators-'));
  const folder = join(home, 'project');
  await mkdir(folder);
  const manifest = { type: 'module', private: true, devDependencies: isFull ? PACKAGES : {} };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const modules = isFull ? join(folder, 'node_modules') : MODULES;
  const bin = join(modules, '.bin');
  const env = {
    ...process.env,
    ...environment,
    PATH: [bin, join(MODULES, '.bin'), join(OF_CLIENT, '.bin'), process.env.PATH].join(delimiter),
  };
  const started: AbortController[] = [];
  const run = async (program: string, ...parameters: readonly string[]) => {
    const options = { cwd: folder, env, maxBuffer: 2 ** 26, timeout: 300_000 };
    const ran = await promisify(execFile)(program, [...parameters], options).catch((error) => {
      throw new Error(`${program}: ${error.stdout}\n${error.stderr}`, { cause: error });
    });
    return ran.stdout + ran.stderr;
  };
  const close = async () => {
    for (const one of started) one.abort();
    await rm(home, { recursive: true, force: true });
  };
  if (!isFull) await symlink(MODULES, join(folder, 'node_modules'));
  else {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
    const isInstalled = await run('npm', 'install', '--include=dev', ...flags).then(
      () => true,
      () => false,
    );
    if (!isInstalled) {
      await close();
      return undefined;
    }
  }
  return {
    folder,
    run,
    start(program, ...parameters) {
      const stop = new AbortController();
      started.push(stop);
      spawn(program, parameters, { cwd: folder, env, stdio: 'ignore', signal: stop.signal }).on(
        'error',
        () => undefined,
      );
    },
    close,
  };
}

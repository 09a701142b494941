/** The client as it is published: packed, and unpacked where a project of its users finds it. */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CLIENT = fileURLToPath(new URL('../../client', import.meta.url));

export interface ClientUser {
  /** The folder of a project that has the client installed and nothing else. */
  readonly folder: string;
  /** The paths in the package. */
  readonly packed: readonly string[];
  remove(): Promise<void>;
}

export async function installClient(): Promise<ClientUser> {
  const folder = await mkdtemp(join(tmpdir(), 'client-user-'));
  const source = join(folder, 'source');
  await mkdir(source);
  for (const name of ['package.json', 'README.md', 'src', 'tsconfig.json']) {
    await cp(join(CLIENT, name), join(source, name), { recursive: true });
  }
  // Built beside the sources, as several files of tests do so at a time.
  await run('npm', ['run', 'build', '--', '--outDir', join(source, 'dist')], { cwd: CLIENT });
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', packing, { cwd: source });
  const [{ filename, files }] = JSON.parse(stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  const installed = join(folder, 'node_modules/transactions-reporting-client');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  return {
    folder,
    packed: files.map(({ path }) => path),
    remove: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** The compiler that the client is built with, which is older than the service's. */
export const OLDER_COMPILER = join(CLIENT, 'node_modules/.bin/tsc');

/** The Node.js of the machine, which may be older than the service's; that one where there is none. */
export function nodeOfMachine(): string {
  const places = (process.env.PATH ?? '').split(delimiter);
  const found = places
    .filter((place) => !place.includes('node_modules'))
    .map((place) => join(place, 'node'))
    .find((path) => existsSync(path) && majorOf(path) >= 20);
  return found ?? process.execPath;
}

const majorOf = (path: string): number =>
  Number(execFileSync(path, ['--version'], { encoding: 'utf8' }).slice(1).split('.', 1)[0]);

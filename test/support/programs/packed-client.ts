/** The client packed and installed in a project, by the commands of its README. */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { putCopy } from '../databases/copied-database.ts';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CLIENT = join(ROOT, 'client');

/** The files of the client that are copied to the clone. Git tracks them. */
const TRACKED = ['package.json', 'README.md', 'LICENSE', 'src', 'tsconfig.json'];

/** All packages are installed already. */
const OFFLINE = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

export interface ClientUser {
  /** The folder of a project with only the client installed. */
  readonly folder: string;
  /** The paths in the package. */
  readonly packed: readonly string[];
  remove(): Promise<void>;
}

/** Installs the client only once in a run of the tests. Each file of tests gets a copy of the project. */
export async function installClient(): Promise<ClientUser> {
  const place = await mkdtemp(join(tmpdir(), 'client-user-'));
  await putCopy('client-user', join(place, 'user'), installInto);
  const packed = await readFile(join(place, 'user', PACKED), 'utf8');
  return {
    folder: join(place, 'user', PROJECT),
    packed: packed
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, '')),
    remove: async () => await rm(place, { recursive: true, force: true }),
  };
}

/** The folder of the project in which the client is installed. */
const PROJECT = 'project';
/** The file that lists the paths in the client's package. */
const PACKED = 'packed.txt';

async function installInto(place: string): Promise<void> {
  const folder = join(place, PROJECT);
  const clone = join(place, 'transactions-reporting');
  await Promise.all([cloneTo(clone), mkdir(folder)]);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  const [packing, installing] = await installCommands();
  await runIn(clone, packing.replaceAll(/^npm (?:ci|run setup)$/gm, ''));
  await runIn(folder, installing);
  await writeFile(
    join(place, PACKED),
    await runIn(clone, 'tar -tzf transactions-reporting-client-*.tgz'),
  );
  await rm(clone, { recursive: true, force: true });
}

/** Makes a clone in which the packages are installed, so that building the client does not change this repository. */
async function cloneTo(clone: string): Promise<void> {
  for (const name of TRACKED) {
    await cp(join(CLIENT, name), join(clone, 'client', name), { recursive: true });
  }
  await cp(join(ROOT, 'package.json'), join(clone, 'package.json'));
  for (const modules of ['node_modules', 'client/node_modules']) {
    await symlink(join(ROOT, modules), join(clone, modules));
  }
}

/** The commands for the clone, and those for the project. */
async function installCommands(): Promise<[packing: string, installing: string]> {
  const page = await readFile(join(CLIENT, 'README.md'), 'utf8');
  const section = page.split('\n## Install\n')[1]?.split('\n## ')[0] ?? '';
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
  const [packing, installing] = blocks;
  if (packing === undefined || installing === undefined) {
    throw new TypeError('The page of the client lacks the commands that install it.');
  }
  return [packing, installing];
}

async function runIn(cwd: string, script: string): Promise<string> {
  const env = { ...process.env, ...OFFLINE };
  return (await run('bash', ['--norc', '-euc', script], { cwd, env })).stdout;
}

/** The compiler that the client is built with, which is older than the service's. */
export const OLDER_COMPILER = join(CLIENT, 'node_modules/.bin/tsc');

/**
 * The Node.js of the machine, which may be older than the service's. If the machine has none from version 20 on, the
 * service's Node.js.
 */
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

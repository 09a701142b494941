/** Looks for optional executables, without which tests are skipped. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Servers are often in folders that are not in the PATH. */
export const PROGRAM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin'];

/** The path of a program; undefined if it is missing. */
export const programOf = (
  name: string,
  folders: readonly string[] = PROGRAM_FOLDERS,
): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** Whether a command succeeds on this machine. */
const works = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, [...args], { stdio: 'ignore' }).status === 0;

/** Arguments with which `unshare` runs a program as in a container: it sees no other processes. */
export const NAMESPACE = ['--map-root-user', '--pid', '--fork', '--mount-proc'] as const;

const CHECKS = {
  'namespaces of processes': () => works('unshare', ...NAMESPACE, 'true'),
  nginx: () => programOf('nginx') !== undefined,
  logrotate: () => programOf('logrotate') !== undefined,
  promtool: () => works('promtool', '--version'),
  jq: () => works('jq', '--version'),
  soffice: () => works('soffice', '--headless', '--version'),
  pandas: () => works('python3', '-c', 'import pandas'),
  pyarrow: () => works('python3', '-c', 'import pandas, pyarrow'),
  R: () => works('Rscript', '-e', '1'),
  'the package arrow of R': () => works('Rscript', '-e', 'library(arrow)'),
} as const satisfies Record<string, () => boolean>;

/** The names of the programs that are missing. */
export const missingOf = (...names: readonly (keyof typeof CHECKS)[]): readonly string[] =>
  names.filter((name) => !CHECKS[name]());

/** The suffix of the name of a skipped test. */
export const skipped = (missing: readonly string[]): string =>
  missing.length === 0 ? '' : ` (skipped: no ${missing.join(', ')} here)`;

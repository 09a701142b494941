/** Programs that some machines have and others do not, for tests that are skipped without them. */

import { spawnSync } from 'node:child_process';

/** Whether a command ends well here. */
const works = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, [...args], { stdio: 'ignore' }).status === 0;

const CHECKS = {
  jq: () => works('jq', '--version'),
  soffice: () => works('soffice', '--headless', '--version'),
  pandas: () => works('python3', '-c', 'import pandas'),
  pyarrow: () => works('python3', '-c', 'import pandas, pyarrow'),
  R: () => works('Rscript', '-e', '1'),
  'the package arrow of R': () => works('Rscript', '-e', 'library(arrow)'),
} as const satisfies Record<string, () => boolean>;

/** Those of the programs that are not here, by name. */
export const missingOf = (...names: readonly (keyof typeof CHECKS)[]): readonly string[] =>
  names.filter((name) => !CHECKS[name]());

/** What the name of a test says where it is skipped. */
export const skipped = (missing: readonly string[]): string =>
  missing.length === 0 ? '' : ` (skipped: no ${missing.join(', ')} here)`;

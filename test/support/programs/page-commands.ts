/** The shell commands of a page of the documentation, run as a reader would. */

import { spawn } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outcomeOf } from './command.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Milliseconds after which a script is taken for stuck. */
const LONGEST = 150_000;

/** Puts `npx transactions` at the hand of whoever works in a folder. */
export async function provideNpx(folder: string): Promise<void> {
  const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${root}/bin/transactions.js' "$@"\n`;
  await writeFile(join(folder, 'npx'), npx);
  await chmod(join(folder, 'npx'), 0o755);
}

/** The commands of a page, without those for a clone, which continuous integration runs. */
export async function commandsOf(page: string): Promise<string> {
  const text = await readFile(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
  return blocks.filter((block) => !block.startsWith('npm ci')).join('\n');
}

/** The outcome of a script, while this process goes on with what it does. */
export async function runScript(script: string, folder: string) {
  const { PATH } = process.env;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${PATH}`, NO_COLOR: '1' },
    detached: true,
  });
  // What it has started goes with it: a server that stayed would answer the next script.
  const late = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, LONGEST);
  const { code, output, errors } = await outcomeOf(child).finally(() => clearTimeout(late));
  return { status: code, stdout: output, stderr: errors };
}

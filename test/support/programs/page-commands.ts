/** Runs the shell commands of a documentation page. */

import { spawn } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outcomeOf } from './command.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Milliseconds after which a script counts as stuck. */
const LONGEST = 150_000;

/**
 * Makes `npx transactions` work in a folder. With `isParent`, it runs the command as a child process, like the
 * real npx: killing it leaves the command running.
 */
export async function provideNpx(folder: string, isParent = false): Promise<void> {
  const npx = `#!/bin/sh\nshift\n${isParent ? '' : 'exec '}'${process.execPath}' '${root}/bin/transactions.js' "$@"\n`;
  await writeFile(join(folder, 'npx'), npx);
  await chmod(join(folder, 'npx'), 0o755);
}

/** The commands of a page, except blocks that begin with `npm ci`. Continuous integration runs those. */
export async function commandsOf(page: string): Promise<string> {
  const text = await readFile(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
  return blocks.filter((block) => !block.startsWith('npm ci')).join('\n');
}

/** Runs a script without blocking this process, and returns its outcome. */
export async function runScript(script: string, folder: string) {
  const { PATH } = process.env;
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${PATH}`, NO_COLOR: '1' },
    detached: true,
  });
  // Kills the whole process group: a server that kept running would answer the next script.
  const late = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, LONGEST);
  const { code, output, errors } = await outcomeOf(child).finally(() => clearTimeout(late));
  return { status: code, stdout: output, stderr: errors };
}

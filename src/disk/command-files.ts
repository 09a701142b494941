/** Temporary files of commands in the work directory of a database, each named after the process that made it. */

import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/** What the file or directory is for. */
type Purpose = 'input' | 'sources' | 'demo';

/** A path in the work directory where there is nothing yet. The caller removes what it creates there. */
export const commandFile = (workDirectory: string, purpose: Purpose): string =>
  join(workDirectory, `${process.pid}-${randomBytes(8).toString('hex')}.${purpose}`);

const NAME = /^(?<owner>\d+)-[0-9a-f]{16}\.[a-z]+$/;

/** Removes the files of killed commands. */
export async function clearCommandFiles(workDirectory: string): Promise<void> {
  const names = await readdir(workDirectory).catch(() => []);
  const abandoned = names.filter((name) => {
    const owner = NAME.exec(name)?.groups?.owner;
    return owner !== undefined && !isAlive(Number(owner));
  });
  for (const name of abandoned)
    await rm(join(workDirectory, name), { recursive: true, force: true });
}

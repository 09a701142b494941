/** Temporary files of commands in the work directory of a database, each named after the process that made it. */

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from './is-alive.ts';

/** What the file or directory is for. */
type Purpose = 'input' | 'sources' | 'demo';

/** A path in the work directory where there is nothing yet. The caller removes what it creates there. */
export const commandFile = (workDirectory: string, purpose: Purpose): string =>
  join(workDirectory, `${process.pid}-${randomBytes(8).toString('hex')}.${purpose}`);

const NAME = /^(?<owner>\d+)-[0-9a-f]{16}\.[a-z]+$/;

/**
 * Removes the files of killed commands, unless another process has the same id. Throws if they cannot be
 * removed.
 */
export async function clearCommandFiles(workDirectory: string): Promise<void> {
  if (!existsSync(workDirectory)) return;
  const names = await readdir(workDirectory);
  const abandoned = names.filter((name) => {
    const owner = NAME.exec(name)?.groups?.owner;
    return owner !== undefined && !isProcessAlive(Number(owner));
  });
  for (const name of abandoned) {
    const path = join(workDirectory, name);
    await rm(path, { recursive: true, force: true }).catch((cause: NodeJS.ErrnoException) => {
      throw new Error(
        `${path}, which a killed command has left, cannot be removed: ${cause.code}. It may contain personal data. Remove it, then run the command again.`,
        { cause },
      );
    });
  }
}

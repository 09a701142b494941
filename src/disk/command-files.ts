/** Temporary files of commands in the work directory of a database, each named after the process that made it. */

import { randomBytes } from 'node:crypto';
import { existsSync, readlinkSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from './is-alive.ts';

/** What the file or directory is for. */
type Purpose = 'input' | 'sources' | 'demo';

/** The PID namespace of this process, such as `4026531836`. Empty where the system has none. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
}

/** A path in the work directory where there is nothing yet. The caller removes what it creates there. */
export const commandFile = (workDirectory: string, purpose: Purpose): string =>
  join(
    workDirectory,
    `${process.pid}-${pidNamespace()}-${randomBytes(8).toString('hex')}.${purpose}`,
  );

const NAME = /^(?<owner>\d+)-(?<namespace>\d*)-[0-9a-f]{16}\.[a-z]+$/;

/**
 * Removes the files of killed commands, unless another process has the same id. Throws if they cannot be
 * removed. Returns the paths of commands in other containers, because their processes cannot be seen from here.
 */
export async function clearCommandFiles(workDirectory: string): Promise<readonly string[]> {
  if (!existsSync(workDirectory)) return [];
  const own = pidNamespace();
  const found = (await readdir(workDirectory)).flatMap((name) => {
    const { owner, namespace } = NAME.exec(name)?.groups ?? {};
    return owner === undefined
      ? []
      : [{ name, owner: Number(owner), isForeign: namespace !== own }];
  });
  const abandoned = found.filter(({ owner, isForeign }) => !isForeign && !isProcessAlive(owner));
  for (const { name } of abandoned) {
    const path = join(workDirectory, name);
    await rm(path, { recursive: true, force: true }).catch((cause: NodeJS.ErrnoException) => {
      throw new Error(
        `${path}, which a killed command has left, cannot be removed: ${cause.code}. It may contain personal data. Remove it, then run the command again.`,
        { cause },
      );
    });
  }
  return found.filter(({ isForeign }) => isForeign).map(({ name }) => join(workDirectory, name));
}

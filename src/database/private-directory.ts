/** Keeps other users out of the directory of an embedded database. */

import { chmod, readdir, stat } from 'node:fs/promises';
import { UserError } from '../user-error.ts';

/** Mode bits: all rights of the group and of others, and the right of others to write. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o002;

/**
 * Closes an existing directory to other users, because it holds token hashes and the key of cursors.
 *
 * Throws a UserError if that fails, if other users can write to the directory, or if it has files but no database,
 * like `/tmp`.
 */
export async function denyOtherUsers(directory: string, isDatabase: boolean): Promise<void> {
  const found = await stat(directory).catch(() => undefined);
  if (found === undefined || (found.mode & OTHERS) === 0) return;
  const isOwn = isDatabase || (await readdir(directory)).length === 0;
  const remedy = `Close it: chmod 700 ${directory}`;
  if ((found.mode & OTHERS_WRITE) !== 0 || !isOwn) {
    throw new UserError(
      `Other users of this machine can reach ${directory}, where the database would keep secrets.`,
      isOwn ? remedy : 'Name a directory for the database alone: --database chdb:./data',
    );
  }
  await chmod(directory, 0o700).catch((cause: unknown) => {
    throw new UserError(`Other users can read ${directory}, which holds secrets.`, remedy, {
      cause,
    });
  });
}

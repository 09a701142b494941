/** Which files this process has open, as Linux tells it. */

import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

const OPEN = '/proc/self/fd';

/** Also of those that have no name any more. */
export async function openFilesIn(directory: string): Promise<readonly string[]> {
  const numbers = await readdir(OPEN).catch(() => []);
  const paths = numbers.map((number) => readlink(join(OPEN, number)).catch(() => ''));
  return (await Promise.all(paths)).filter((path) => path.startsWith(`${directory}/`));
}

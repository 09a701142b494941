/** The files that this process has open (Linux). */

import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

const OPEN = '/proc/self/fd';

/** Includes unlinked files. */
export async function openFilesIn(directory: string): Promise<readonly string[]> {
  const numbers = await readdir(OPEN).catch(() => []);
  const paths = numbers.map((number) => readlink(join(OPEN, number)).catch(() => ''));
  return (await Promise.all(paths)).filter((path) => path.startsWith(`${directory}/`));
}

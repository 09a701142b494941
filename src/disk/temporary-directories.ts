/** Directories among the system’s temporary ones: each has a name that tells which process made it. */

import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

type Purpose = 'incoming' | 'outgoing';

/** Tells this process from one before it that had the same number, as each has in a container. */
const RUN = randomUUID();

const nameOf = (purpose: Purpose): string => `transactions-${purpose}-`;

const ownName = (purpose: Purpose): string => `${nameOf(purpose)}${process.pid}-${RUN}-`;

/** What a path of this process begins with; nobody else can guess it. */
export const ownTemporary = (purpose: Purpose): string => join(tmpdir(), ownName(purpose));

/** Removes what processes that were killed have left behind, as far as it may. */
export async function clearTemporary(purpose: Purpose): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const left = names.filter((name) => {
    if (!name.startsWith(nameOf(purpose)) || name.startsWith(ownName(purpose))) return false;
    const maker = Number.parseInt(name.slice(nameOf(purpose).length), 10);
    return maker > 0 && (maker === process.pid || !isAlive(maker));
  });
  const removals = left.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true }));
  await Promise.allSettled(removals);
}

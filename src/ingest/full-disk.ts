/** The error of an import that stopped because the disk of its temporary files, or that of the database, is full. */

import { DiskFull, diskSpaceText, isDiskFull } from '../disk/disk-space.ts';
import { type Engine, EngineFailure, isExclusive } from '../engine/engine.ts';

interface Place {
  readonly engine: Pick<Engine, 'versions'>;
  /** For temporary files. With an embedded database, it is on the disk of the database. */
  readonly workDirectory: string;
}

/** Whether an error says that the disk of the temporary files, or that of the database, is full. */
export const saysFullDisk = (error: unknown): boolean =>
  error instanceof DiskFull ||
  isDiskFull(error) ||
  (error instanceof EngineFailure && error.isDiskFull);

/** Replaces the error of a full disk with one that names the disk. A DiskFull and other errors stay as they are. */
export async function fullDiskRefusal(error: unknown, place: Place): Promise<unknown> {
  const text = await diskText(error, place);
  if (text === undefined) return error;
  const message = `${text}, so nothing was imported. Make room, then run the same command again.`;
  return new DiskFull(message, { cause: error });
}

async function diskText(
  error: unknown,
  { engine, workDirectory }: Place,
): Promise<string | undefined> {
  if (error instanceof DiskFull) return undefined;
  if (isDiskFull(error)) return await diskSpaceText(workDirectory, 'full');
  if (!(error instanceof EngineFailure && error.isDiskFull)) return undefined;
  // Only an embedded engine is certain to have its files on a disk of this machine.
  if (!isExclusive(engine)) return 'The disk of the database server is full';
  return await diskSpaceText(workDirectory, 'full');
}

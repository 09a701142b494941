/** The error of an import that was stopped because the disk of the database is full. */

import { DiskFull, isDiskFull } from '../disk/disk-space.ts';
import { EngineFailure } from '../engine/engine.ts';

/** Other errors stay as they are. */
export const fullDiskRefusal = (error: unknown): unknown =>
  isDiskFull(error) || (error instanceof EngineFailure && error.isDiskFull)
    ? new DiskFull(
        'The disk of the database is full, so nothing was imported. Make room, then run the same command again.',
        { cause: error },
      )
    : error;

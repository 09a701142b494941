/** Fills the disk of a soak again and again, and makes room after some seconds. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { SmallDisk } from '../../test/support/run/small-disk.ts';
import type { Soak } from './soak.ts';

/** Milliseconds before the disk is filled again. */
const INTERVAL = 15_000;
/** Milliseconds for which the disk stays full. */
const FULL_FOR = 5000;

/** Checks nothing itself: the invariants of the other actors must also hold on a full disk. */
export async function fillDisk(disk: SmallDisk, { report, end }: Soak): Promise<void> {
  while (!end.aborted) {
    await sleep(INTERVAL, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    await disk.fill();
    await sleep(FULL_FOR);
    await disk.empty();
    report.count('times the disk was full');
  }
}

/** The memory of another process, as Linux counts it. */

import { readFile } from 'node:fs/promises';

/**
 * `peak` is the maximum so far; `now` and `own` are the present memory. `own` leaves out pages of files, such as
 * the code of Node.js. The system takes such pages back when it needs memory.
 */
const LINES = {
  peak: /VmHWM:\s+(\d+) kB/,
  now: /VmRSS:\s+(\d+) kB/,
  own: /RssAnon:\s+(\d+) kB/,
};

/** Memory in megabytes; throws if the process has ended. */
export async function memoryOf(
  pid: number | undefined,
  which: keyof typeof LINES,
): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = LINES[which].exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`The process ${pid} has ended.`);
  return Number(kilobytes) / 1024;
}

/** The peak memory of a process in megabytes: all of it, and without pages of files. */
export interface PeakMemory {
  readonly all: number;
  readonly own: number;
}

export const memoryText = ({ all, own }: PeakMemory): string =>
  `${all.toFixed(0)} MB, ${own.toFixed(0)} MB without pages of files`;

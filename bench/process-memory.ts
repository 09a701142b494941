/** The memory of another process, as Linux counts it. */

import { readFile } from 'node:fs/promises';

const LINES = { peak: /VmHWM:\s+(\d+) kB/, now: /VmRSS:\s+(\d+) kB/ };

/** Peak or current memory in megabytes; throws if the process has ended. */
export async function memoryOf(pid: number | undefined, which: 'peak' | 'now'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = LINES[which].exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`The process ${pid} has ended.`);
  return Number(kilobytes) / 1024;
}

/** Gives the main thread more processor time than the engine's threads, by their nice values (Linux). */

import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';

/** Has an entry for each thread of this process. Only Linux has this directory. */
const THREADS = '/proc/self/task';

/** How much lower the priority of other threads is: the main thread gets three times the processor time of each. */
const DIFFERENCE = 5;

/** Milliseconds between two searches for new threads. The engine starts threads when it needs them. */
const INTERVAL = 1000;

/**
 * Lowers the priority of every thread but the main one and those with the given names, also of threads that start
 * later, until the process ends.
 *
 * Otherwise each request waits for the engine while the engine keeps all cores busy. The priority of the main thread
 * itself can be raised only by root. Systems other than Linux have no priority of a single thread: nothing happens.
 */
export async function favorMainThread(alsoFavored: readonly string[]): Promise<void> {
  const lowered = Math.min(getPriority() + DIFFERENCE, constants.priority.PRIORITY_LOW);
  // The number of the main thread is that of the process.
  const main = String(process.pid);
  const mainName = await nameOf(main);
  let known: ReadonlySet<string> = new Set();
  let unnamed: ReadonlySet<string> = new Set();
  const lowerNewThreads = async () => {
    const threads = await threadsNow();
    const started = new Set<string>();
    for (const thread of threads.filter((each) => each !== main && !known.has(each))) {
      const name = await nameOf(thread);
      // A thread that has just started has the name of its parent. If it keeps this name, it is lowered the next time.
      if (name === mainName && !unnamed.has(thread)) started.add(thread);
      else if (!alsoFavored.includes(name)) lower(Number(thread), lowered);
    }
    unnamed = started;
    known = new Set(threads.filter((thread) => !started.has(thread)));
  };
  await lowerNewThreads();
  setInterval(() => void lowerNewThreads(), INTERVAL).unref();
}

const threadsNow = async (): Promise<readonly string[]> => await readdir(THREADS).catch(() => []);

/** Empty if the thread has ended. */
const nameOf = async (thread: string): Promise<string> =>
  (await readFile(`${THREADS}/${thread}/comm`, 'utf8').catch(() => '')).trimEnd();

/** Does nothing if the thread has ended. */
function lower(thread: number, priority: number): void {
  try {
    setPriority(thread, priority);
  } catch {
    // A thread that keeps its priority only takes more processor time.
  }
}

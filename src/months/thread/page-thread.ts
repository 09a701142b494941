/** Writes pages in a second thread, so that the main thread is free for HTTP. */

import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Slots } from '../../concurrency/slots.ts';
import type { Page } from '../../reading/pages/page.ts';
import type { NumberedTask, PageTask, SentPage, ThreadMessage } from './page-task.ts';

const ENTRY = import.meta.url.endsWith('.ts') ? './page-thread-entry.ts' : './page-thread-entry.js';

/** The name of the thread, also in the lists of the operating system. */
export const PAGE_THREAD = 'pages';

const HAS_PROCESSORS = availableParallelism() > 1;

/** The memory that its JavaScript objects may take. Rows are outside of it. */
const LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 64 };

/** Milliseconds after a failure until the thread is started again. */
const PAUSE = 60_000;

/** The memory of so many sent pages is kept for other pages, unless it has too many bytes. */
const MAX_SPARES = 16;
const MAX_SPARE_BYTES = 256 * 1024;

type Answer = (page: Page | undefined) => void;

export class PageThread {
  readonly #onFailure: (error: unknown) => void;
  #worker: Worker | undefined;
  #isReady = false;
  #isClosed = false;
  #pausedUntil = 0;
  /** For the tasks that the thread has. The slot is the number of the task. */
  readonly #answers = new Slots<Answer>();
  readonly #spares: ArrayBuffer[] = [];
  #started = Promise.resolve();

  /** Calls `onFailure` when the thread cannot start or ends by itself. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /**
   * Writes a page. Undefined if the caller must write it: the thread is not ready, it fails, or there is no task.
   *
   * The first call starts the thread, but only if the machine has several processors.
   */
  async write(task: () => PageTask | undefined): Promise<Page | undefined> {
    if (!this.#isReady) this.#start();
    const given = this.#isReady ? task() : undefined;
    if (given === undefined) return undefined;
    const { promise, resolve } = Promise.withResolvers<Page | undefined>();
    const spare = this.#spares.pop();
    const numbered: NumberedTask = { number: this.#answers.add(resolve), task: given, spare };
    this.#worker?.postMessage(numbered, [given.frames.buffer, ...(spare ? [spare] : [])]);
    return await promise;
  }

  /** Waits until a thread that has been started is ready. */
  async settled(): Promise<void> {
    await this.#started;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): void {
    const isPossible = HAS_PROCESSORS && !this.#isClosed && performance.now() >= this.#pausedUntil;
    if (!isPossible || this.#worker !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#started = promise;
    try {
      this.#worker = this.#newWorker(resolve);
    } catch (error) {
      // The system refuses another thread.
      this.#fail(error);
      resolve();
    }
  }

  #newWorker(onSettled: () => void): Worker {
    const worker = new Worker(new URL(ENTRY, import.meta.url), {
      name: PAGE_THREAD,
      env: environment(),
      execArgv: [],
      resourceLimits: LIMITS,
    });
    worker.unref();
    worker.on('message', (message: ThreadMessage) => {
      if (message === 'ready') this.#isReady = true;
      else this.#answer(message.number, message.page);
      onSettled();
    });
    worker.on('messageerror', (error) => {
      this.#fail(error);
      void worker.terminate();
    });
    worker.on('error', (error) => this.#fail(error));
    worker.once('exit', () => {
      this.#isReady = false;
      this.#worker = undefined;
      for (const [number] of this.#answers) this.#answer(number, undefined);
      onSettled();
    });
    return worker;
  }

  #answer(number: number, page: SentPage | undefined): void {
    const answer = this.#answers.get(number);
    if (answer === undefined) return;
    this.#answers.delete(number, answer);
    answer(page && this.#pageOf(page));
  }

  #pageOf({ memory, size, ...page }: SentPage): Page {
    return {
      ...page,
      bytes: Buffer.from(memory, 0, size),
      room: memory.byteLength - size,
      release: () => {
        // Memory that was freed meanwhile has no bytes.
        if (memory.byteLength === 0) return;
        const isKept = memory.byteLength <= MAX_SPARE_BYTES && this.#spares.length < MAX_SPARES;
        if (isKept) this.#spares.push(memory);
        else memory.transfer(0);
      },
    };
  }

  #fail(error: unknown): void {
    this.#pausedUntil = performance.now() + PAUSE;
    this.#onFailure(error);
  }
}

/**
 * Only the compile cache of this process, which the thread does not use by itself. With it, the thread starts from
 * sources in a third of the time, and takes a third of the memory.
 */
function environment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  // The cache is in a folder for each version of Node.js, which the thread appends again.
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) };
}

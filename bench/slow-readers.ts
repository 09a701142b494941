/**
 * Readers that take a list at a steady pace, in a thread of their own.
 *
 * In the thread that times other requests, their work would count as time of the service.
 */

import { once } from 'node:events';
import { get } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface SlowReaderOptions {
  readonly url: string;
  readonly token: string;
  readonly readers: number;
  readonly bytesPerSecond: number;
}

interface Progress {
  /** Bytes read by all readers so far. */
  readonly bytes: number;
  /** Whether each reader has read its first bytes. */
  readonly haveAllBegun: boolean;
}

/** Milliseconds between two reports of the progress. */
const REPORT_INTERVAL = 50;

export class SlowReaders {
  readonly #worker: Worker;
  #progress: Progress = { bytes: 0, haveAllBegun: false };
  #failure: unknown;

  constructor(reading: SlowReaderOptions) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: reading });
    this.#worker.on('message', (progress: Progress) => {
      this.#progress = progress;
    });
    this.#worker.on('error', (error) => {
      this.#failure = error;
    });
  }

  get progress(): Progress {
    return this.#progress;
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Disconnects all readers. */
  async leave(): Promise<void> {
    await this.#worker.terminate();
  }
}

class SlowReader {
  bytes = 0;

  async read({ url, token, bytesPerSecond }: SlowReaderOptions): Promise<void> {
    const started = performance.now();
    const request = get(url, { headers: { authorization: `Bearer ${token}` }, agent: false });
    const [response] = await once(request, 'response');
    if (response.statusCode !== 200) throw new Error(`Status ${response.statusCode}`);
    response.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      const ahead = (this.bytes / bytesPerSecond) * 1000 - (performance.now() - started);
      if (ahead <= 0) return;
      response.pause();
      setTimeout(() => response.resume(), ahead);
    });
    await once(response, 'end');
  }
}

if (!isMainThread) {
  const reading = workerData as SlowReaderOptions;
  const readers = Array.from({ length: reading.readers }, () => new SlowReader());
  // A failure ends the thread, and its parent gets the error.
  for (const reader of readers) void reader.read(reading);
  setInterval(() => {
    const bytes = readers.reduce((all, reader) => all + reader.bytes, 0);
    parentPort?.postMessage({ bytes, haveAllBegun: readers.every((reader) => reader.bytes > 0) });
  }, REPORT_INTERVAL);
}

/** Has a source read into files, by a process that can be ended at any moment. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ImportFile } from '../ingest/files/import-file.ts';
import { UserError } from '../user-error.ts';
import { type ReaderMessage, type ReadRequest, readMessage } from './reader-messages.ts';

export interface ReadingWatch {
  readonly signal: AbortSignal;
  /** Called now and then with the bytes that were read so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

const ENTRY = import.meta.url.endsWith('.ts') ? './reader-entry.ts' : './reader-entry.js';

/** The files are in the order's directory; an abort of the signal ends the reading at once. */
export async function readSource(
  order: ReadRequest,
  { signal, onProgress }: ReadingWatch,
): Promise<readonly ImportFile[]> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [fileURLToPath(new URL(ENTRY, import.meta.url))], {
    env: environmentOf(process.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  child.once('error', reject).once('close', () => resolve());
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  // A process that ends before it has read its order is told by its missing outcome.
  child.stdin.on('error', () => undefined).write(`${JSON.stringify(order)}\n`);
  child.stderr.resume();
  let outcome: ReaderMessage | undefined;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const event = readMessage(line);
      if (event?.event === 'progress') onProgress?.(event.bytes);
      else outcome = event ?? outcome;
    }
    await ended;
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
  signal.throwIfAborted();
  if (outcome?.event === 'done') return outcome.files;
  if (outcome?.event === 'failed') throw new UserError(outcome.message, outcome.next);
  throw new Error(
    `${order.address.name}: the process that read it was ended from outside. Nothing was imported.`,
  );
}

/** What the clients of databases look for, such as PGSSLMODE, but no password. */
function environmentOf(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(all).filter(
    ([name]) =>
      name !== 'PGPASSWORD' &&
      (/^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH|NODE_OPTIONS)$/.test(name) || /^(PG|SSL_)/.test(name)),
  );
  return { ...Object.fromEntries(kept), UV_THREADPOOL_SIZE: '8' };
}

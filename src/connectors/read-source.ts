/** Reads a source into files in a child process, which can be killed at any moment. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ImportFile } from '../ingest/files/import-file.ts';
import { UserError } from '../user-error.ts';
import { type ReaderMessage, type ReadRequest, readMessage } from './reader-messages.ts';

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes read so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

const ENTRY = import.meta.url.endsWith('.ts') ? './reader-entry.ts' : './reader-entry.js';

/** Writes the files to the directory of the request. The signal kills the process at once. */
export async function readSource(
  request: ReadRequest,
  { signal, onProgress }: ReadOptions,
): Promise<readonly ImportFile[]> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [fileURLToPath(new URL(ENTRY, import.meta.url))], {
    env: environmentOf(process.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  child.once('error', reject).once('close', () => resolve());
  // If the process cannot start, this fails while its output is still read. The await below throws the error.
  ended.catch(() => undefined);
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop, { once: true });
  // A write error means that the process ended before it read the request. The missing outcome is an error below.
  child.stdin.on('error', () => undefined).write(`${JSON.stringify(request)}\n`);
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
    `${request.address.name}: the process that read it was killed. Nothing was imported. Import again.`,
  );
}

/**
 * Keeps only general variables, such as PATH, and those that database clients read, except PGPASSWORD. PostgreSQL
 * sends texts in UTF-8, whatever the encoding of the database.
 */
function environmentOf(all: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(all).filter(
    ([name]) =>
      name !== 'PGPASSWORD' &&
      (/^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH|NODE_OPTIONS)$/.test(name) || /^(PG|SSL_)/.test(name)),
  );
  return { ...Object.fromEntries(kept), PGCLIENTENCODING: 'UTF8', UV_THREADPOOL_SIZE: '8' };
}

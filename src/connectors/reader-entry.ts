/**
 * Entry point of the child process that reads a source, so that it can be killed at any moment.
 *
 * The request comes over standard input, because it contains a password. When standard input closes, the
 * process exits.
 */

import { createInterface } from 'node:readline';
import { EngineFailure } from '../engine/engine.ts';
import type { ImportFile } from '../ingest/files/import-file.ts';
import { UserError } from '../user-error.ts';
import { readBucket } from './read-bucket.ts';
import { readTable } from './read-table.ts';
import { type ReaderMessage, type ReadRequest, readRequest } from './reader-messages.ts';
import { sourceError } from './source-error.ts';
import { TemporaryEngine } from './temporary-engine.ts';

/** Begins on a new line, as libraries of the engine may have written an unfinished one. */
const lineOf = (message: ReaderMessage): string => `\n${JSON.stringify(message)}\n`;

const tell = (message: ReaderMessage) => process.stdout.write(lineOf(message));

async function outcomeOf(line: string): Promise<ReaderMessage> {
  let request: ReadRequest;
  try {
    request = readRequest(line);
  } catch {
    // The error is not shown, because the request contains a password.
    return {
      event: 'failed',
      message: 'The process that reads sources got an invalid request.',
      next: 'Report this as a fault, with the command.',
    };
  }
  try {
    return { event: 'done', files: await read(request) };
  } catch (error) {
    const { message, next } = sourceError(request.address, error, request.directory);
    return { event: 'failed', message, next };
  }
}

async function read(request: ReadRequest): Promise<readonly ImportFile[]> {
  const engine = await openEngine(request.directory);
  try {
    const { address } = request;
    return address.kind === 's3'
      ? await readBucket(engine, { ...request, address })
      : [await readTable(engine, { ...request, address })];
  } finally {
    await engine.close();
  }
}

async function openEngine(directory: string): Promise<TemporaryEngine> {
  try {
    return await TemporaryEngine.open(directory, (bytes) => tell({ event: 'progress', bytes }));
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    throw new UserError(
      error.message,
      'Imports from databases and buckets need the embedded engine: npm install chdb',
      {
        cause: error,
      },
    );
  }
}

const lines = createInterface({ input: process.stdin });
lines.once('line', async (line) => {
  const outcome = await outcomeOf(line);
  process.stdout.write(lineOf(outcome), () => process.exit());
});
lines.once('close', () => process.exit());
// The parent process decides when this one ends.
process.on('SIGINT', () => undefined);

/**
 * Reads a source in a process of its own, so that it can be ended at any moment.
 *
 * The order comes over standard input, as it holds a password; when that ends, so does the process.
 */

import { createInterface } from 'node:readline';
import { EngineFailure } from '../engine/engine.ts';
import { UserError } from '../user-error.ts';
import { readBucket } from './read-bucket.ts';
import { readTable } from './read-table.ts';
import { type ReaderMessage, type ReadRequest, readOrder } from './reader-messages.ts';
import { sourceError } from './source-error.ts';
import { TemporaryEngine } from './temporary-engine.ts';

/** On a line of its own, whatever libraries have written before it. */
const lineOf = (event: ReaderMessage): string => `\n${JSON.stringify(event)}\n`;

const tell = (event: ReaderMessage) => process.stdout.write(lineOf(event));

async function read(order: ReadRequest): Promise<ReaderMessage> {
  const engine = await openEngine(order.directory);
  try {
    const { address } = order;
    const files =
      address.kind === 's3'
        ? await readBucket(engine, { ...order, address })
        : [await readTable(engine, { ...order, address })];
    return { event: 'done', files };
  } finally {
    await engine.close();
  }
}

async function openEngine(directory: string): Promise<TemporaryEngine> {
  try {
    return await TemporaryEngine.open(directory, (bytes) => tell({ event: 'progress', bytes }));
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    throw new UserError(error.message, 'Sources are read by it: npm install chdb', {
      cause: error,
    });
  }
}

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => {
  const order = readOrder(line);
  read(order)
    .catch((error: unknown): ReaderMessage => {
      const { message, next } = sourceError(order.address, error);
      return { event: 'failed', message, next };
    })
    .then((event) => process.stdout.write(lineOf(event), () => process.exit()));
});
lines.once('close', () => process.exit());
// Whoever started it decides when it ends.
process.on('SIGINT', () => undefined);

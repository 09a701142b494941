/** Compresses answers as they come, at levels that are faster than the wires they are for. */

import { once } from 'node:events';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { freeBuffer } from '../../disk/free-buffer.ts';
import { acceptsIdentity, type Coding, type Compression } from '../negotiation/content-coding.ts';

/** Bytes of a piece of the compressed answer. */
const chunkSize = 128 * 1024;

/** What was given is flushed with each block, so that a reader has it as soon as the service does. */
const CODERS: { readonly [coding in Compression]: () => Transform } = {
  zstd: () =>
    createZstdCompress({
      chunkSize,
      flush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_c_compressionLevel]: 1 },
    }),
  br: () =>
    createBrotliCompress({
      chunkSize,
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 20 },
    }),
  gzip: () => createGzip({ chunkSize, flush: constants.Z_SYNC_FLUSH, level: 1 }),
};

/**
 * The compressed blocks and end. The blocks are used up; the pieces of the answer share their
 * memory. Where the source fails it throws, before the mark by which a decoder knows the end.
 */
export async function* compressed(
  blocks: AsyncIterable<Uint8Array>,
  end: string,
  coding: Compression,
): AsyncGenerator<Uint8Array> {
  const coder = CODERS[coding]();
  const fed = feed(coder, blocks, end);
  try {
    yield* coder;
  } finally {
    coder.destroy();
    await fed;
  }
}

async function feed(
  coder: Transform,
  blocks: AsyncIterable<Uint8Array>,
  end: string,
): Promise<void> {
  const closed = once(coder, 'close').catch(() => undefined);
  try {
    for await (const block of blocks) {
      await Promise.race([written(coder, block), closed]);
      if (coder.destroyed) return;
    }
    coder.end(end);
  } catch (error) {
    coder.destroy(
      error instanceof Error ? error : new Error('The source failed.', { cause: error }),
    );
  }
}

/** Memory that the coder may still be reading is not given back: whoever leaves, leaves it to the collector. */
async function written(coder: Transform, block: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => {
    coder.write(block, (error) => {
      if (!error) freeBuffer(block);
      resolve();
    });
  });
}

/** Bytes of the smallest answer that is worth it: a smaller one is sent in one packet anyway. */
const WORTH = 1024;

/** Sends an answer that is at hand. */
export async function sendWhole(bytes: Buffer, coding: Coding, reply: FastifyReply) {
  const { headers } = reply.request;
  if (coding === 'identity') return reply.send(bytes);
  if (bytes.length < WORTH && acceptsIdentity(headers['accept-encoding'])) return reply.send(bytes);
  const pieces = await Array.fromAsync(compressed(only(bytes), '', coding));
  return reply.header('content-encoding', coding).send(Buffer.concat(pieces));
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

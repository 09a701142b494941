/** Streaming compression, at levels that are faster than most networks. */

import { once } from 'node:events';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { freeBuffer } from '../../disk/free-buffer.ts';
import { acceptsIdentity, type Coding, type Compression } from '../negotiation/content-coding.ts';

/** Bytes. */
const chunkSize = 128 * 1024;

/** Flushes after each block, so that the client gets its records at once. */
const ENCODERS: { readonly [coding in Compression]: () => Transform } = {
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
 * Compresses the blocks and the end, and frees the blocks. If the blocks fail, it throws before the
 * end mark of the coding, so a decoder notices that the response is incomplete.
 */
export async function* compressed(
  blocks: AsyncIterable<Uint8Array>,
  end: string,
  coding: Compression,
): AsyncGenerator<Uint8Array> {
  const encoder = ENCODERS[coding]();
  const fed = feed(encoder, blocks, end);
  try {
    yield* encoder;
  } finally {
    encoder.destroy();
    await fed;
  }
}

async function feed(
  encoder: Transform,
  blocks: AsyncIterable<Uint8Array>,
  end: string,
): Promise<void> {
  const closed = once(encoder, 'close').catch(() => undefined);
  try {
    for await (const block of blocks) {
      await Promise.race([written(encoder, block), closed]);
      if (encoder.destroyed) return;
    }
    encoder.end(end);
  } catch (error) {
    encoder.destroy(
      error instanceof Error ? error : new Error('The blocks failed.', { cause: error }),
    );
  }
}

/** After an error the encoder may still read the block, so the block is not freed. */
async function written(encoder: Transform, block: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => {
    encoder.write(block, (error) => {
      if (!error) freeBuffer(block);
      resolve();
    });
  });
}

/** Bytes. A smaller response fits in one packet without compression. */
const COMPRESSION_THRESHOLD = 1024;

/** Sends a response that is in memory. */
export async function sendWhole(bytes: Buffer, coding: Coding, reply: FastifyReply) {
  const { headers } = reply.request;
  if (coding === 'identity') return reply.send(bytes);
  if (bytes.length < COMPRESSION_THRESHOLD && acceptsIdentity(headers['accept-encoding']))
    return reply.send(bytes);
  const pieces = await Array.fromAsync(compressed(oneBlock(bytes), '', coding));
  return reply.header('content-encoding', coding).send(Buffer.concat(pieces));
}

async function* oneBlock(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Streams blocks of bytes to the client with backpressure; cuts the connection if something fails. */

import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { cut } from './cut.ts';

export interface ResponseBody {
  readonly blocks: AsyncIterable<Uint8Array>;
  /** Sent after the last block. */
  readonly end: string;
  /** Called with each block after it was sent. */
  readonly free?: (block: Uint8Array) => void;
}

/**
 * Sends the headers of a reply, then all blocks and the end, or cuts the connection.
 *
 * If the blocks fail, the response never ends, so no client takes it for complete. A client that
 * reads nothing for `stallTimeout` milliseconds is disconnected.
 */
export async function sendBlocks(
  reply: FastifyReply,
  { blocks, end, free }: ResponseBody,
  stallTimeout: number,
): Promise<void> {
  const { raw: response, request } = reply;
  reply.hijack();
  writeHeaders(reply);
  request.bodyBytes = 0;
  response.once('timeout', () => cut(response));
  try {
    for await (const block of blocks) {
      if (response.destroyed) break;
      request.bodyBytes += block.length;
      request.firstByteMs ??= reply.elapsedTime;
      const hasCapacity = response.write(block, () => free?.(block));
      if (!hasCapacity) await drained(response, stallTimeout);
    }
    if (response.destroyed) return;
    // The client may be slow to read the end, too. When the response has ended, Node or the next request
    // replaces this timeout.
    response.setTimeout(stallTimeout).end(end);
    request.bodyBytes += end.length;
  } catch (error) {
    cut(response);
    throw error;
  }
}

function writeHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(reply.statusCode);
}

/** Waits until the client has read what was written, or has disconnected. */
async function drained(response: ServerResponse, stallTimeout: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve).once('close', resolve);
  // Node's socket timer sees progress within a large write, which `drain` does not report.
  response.setTimeout(stallTimeout);
  await promise;
  response.setTimeout(0).off('drain', resolve).off('close', resolve);
}

/** Streams a list, complete or visibly cut. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import { freeBuffer } from '../../disk/free-buffer.ts';
import type { ListPlan } from '../../plan/list-plan.ts';
import { acceptsIdentity, type Coding, contentCoding } from '../negotiation/content-coding.ts';
import { compressed, sendWhole } from './compression.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { listRecords } from './list-records.ts';
import { type ResponseBody, sendBlocks } from './send-blocks.ts';
import type { ListDeps } from './send-page.ts';
import { rowCounterOf } from './sent-rows.ts';

export interface SendDeps extends ListDeps {
  /** Milliseconds after which a client that reads nothing is disconnected. */
  readonly stallTimeout: number;
}

export const sendList = async (
  plan: ListPlan,
  deps: SendDeps,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> => {
  const records = listRecords(plan, { ...deps, onRows: rowCounterOf(reply) }, signal);
  return await sendRecords(records, envelopeOf(plan), deps, reply);
};

/** Waits for the first block before it sends status 200. After that a failure cuts the response. */
export async function sendRecords(
  records: AsyncIterable<Uint8Array>,
  envelope: Envelope,
  { stallTimeout }: Pick<SendDeps, 'stallTimeout'>,
  reply: FastifyReply,
): Promise<unknown> {
  const coding = codingOfStream(reply.request, envelope);
  const blocks = records[Symbol.asyncIterator]();
  const first = await blocks.next();
  if (first.done) return await sendWhole(Buffer.from(envelope.empty), coding, reply);
  if (coding !== 'identity') reply.header('content-encoding', coding);
  if (reply.request.method === 'HEAD') {
    await blocks.return?.();
    return reply.send();
  }
  const body = bodyOf(wrapped(first.value, blocks, envelope), envelope, coding);
  await sendBlocks(reply, body, stallTimeout);
  return undefined;
}

/**
 * The coding of a stream. Only over HTTP/1.1 Node sends chunks: for HTTP/1.0, 0.9 and 2.0, a stream ends with its
 * connection. So only an uncompressed JSON array shows by its last character that it is complete, and other streams
 * are refused.
 */
function codingOfStream({ headers, raw }: FastifyRequest, { showsEnd }: Envelope): Coding {
  const accepted = headers['accept-encoding'];
  if (raw.httpVersion === '1.1') return contentCoding(accepted);
  if (showsEnd && acceptsIdentity(accepted)) return 'identity';
  throw new Problem('upgrade_required', {
    headers: { upgrade: 'HTTP/1.1', connection: 'upgrade, close' },
  });
}

const bodyOf = (
  blocks: AsyncIterable<Uint8Array>,
  { end }: Envelope,
  coding: Coding,
): ResponseBody =>
  coding === 'identity'
    ? { blocks, end, free: freeBuffer }
    : { blocks: compressed(blocks, end, coding), end: '' };

async function* wrapped(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  { before, open }: Envelope,
): AsyncGenerator<Uint8Array> {
  try {
    if (before !== '') yield Buffer.from(before);
    yield open(first);
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

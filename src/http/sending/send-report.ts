/** Sends a report as one stream, whole or visibly broken. */

import type { FastifyReply } from 'fastify';
import { freeBuffer } from '../../disk/free-buffer.ts';
import type { ReportPlan } from '../../plan/report-plan.ts';
import type { PositionDeps } from '../../reading/last-record.ts';
import { readReport } from '../../reading/report-stream.ts';
import { type Coding, contentCoding } from '../negotiation/content-coding.ts';
import { STALL_TIMEOUT } from './abort-on-disconnect.ts';
import { compressed, sendWhole } from './compression.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { type Body, sendBlocks } from './send-blocks.ts';

export interface ReportDeps extends PositionDeps {
  /** Milliseconds after which a reader that takes nothing is cut. */
  readonly stallTimeout?: number | undefined;
}

export const sendReport = async (
  plan: ReportPlan,
  source: ReportDeps,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> =>
  await sendRecords(readReport(plan, source, signal), envelopeOf(plan), source, reply);

/** Waits for the first block before it promises success; from then on the answer is whole or cut. */
export async function sendRecords(
  records: AsyncIterable<Uint8Array>,
  envelope: Envelope,
  { stallTimeout = STALL_TIMEOUT }: Pick<ReportDeps, 'stallTimeout'>,
  reply: FastifyReply,
): Promise<unknown> {
  const coding = contentCoding(reply.request.headers['accept-encoding']);
  const blocks = records[Symbol.asyncIterator]();
  const first = await blocks.next();
  if (first.done) return await sendWhole(Buffer.from(envelope.empty), coding, reply);
  if (coding !== 'identity') reply.header('content-encoding', coding);
  if (reply.request.method === 'HEAD') {
    await blocks.return?.();
    return reply.send();
  }
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  const body = bodyOf(wrapped(first.value, blocks, envelope), envelope, coding);
  reply.request.bodyBytes = await sendBlocks(reply.raw, body, stallTimeout);
  return undefined;
}

const bodyOf = (blocks: AsyncIterable<Uint8Array>, { end }: Envelope, coding: Coding): Body =>
  coding === 'identity'
    ? { blocks, end, giveBack: freeBuffer }
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

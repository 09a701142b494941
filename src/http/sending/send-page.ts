/** Sends one page of a list, with a link to the next page if there is one. */

import type { FastifyReply } from 'fastify';
import { freeBuffer } from '../../disk/free-buffer.ts';
import type { MonthAnswers } from '../../months/month-cache.ts';
import type { ListPlan } from '../../plan/list-plan.ts';
import type { PositionDeps } from '../../reading/last-record.ts';
import { readPage } from '../../reading/pages/list-page.ts';
import type { Page } from '../../reading/pages/page.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import type { CursorScope } from '../pagination/cursor.ts';
import { linkToNext } from '../pagination/next-link.ts';
import { sendWhole } from './compression.ts';
import { type Envelope, envelopeOf } from './envelope.ts';

/** Lists are read from the month cache if it can answer, or else from the engine. */
export interface ListDeps extends PositionDeps {
  readonly monthCache?: MonthAnswers | undefined;
}

export async function sendPage(
  plan: ListPlan & { readonly limit: number },
  deps: ListDeps,
  scope: CursorScope,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  const cached = await deps.monthCache?.page(plan);
  signal.throwIfAborted();
  const page = cached ?? (await readPage(plan, plan.limit, deps, signal));
  const { last, isFollowed } = page;
  if (last !== undefined && isFollowed) linkToNext(reply, last, scope);
  return await sendPageBytes(page, envelopeOf(plan), reply);
}

/** Sends the records of a page that is in memory. */
export async function sendPageBytes(
  page: Pick<Page, 'bytes' | 'room' | 'rows' | 'release'>,
  envelope: Envelope,
  reply: FastifyReply,
): Promise<unknown> {
  const coding = contentCoding(reply.request.headers['accept-encoding']);
  reply.request.sentRows = page.rows;
  const { bytes, release } = page;
  const body = bodyOf(page, envelope);
  if (body.buffer !== bytes.buffer) (release ?? (() => freeBuffer(bytes)))();
  // When a response has finished, the operating system has all bytes.
  else if (release !== undefined) reply.raw.once('finish', release);
  return await sendWhole(body, coding, reply);
}

/** The records in their envelope: a copy, or in the memory of the page. */
function bodyOf(
  { bytes, room = 0 }: Pick<Page, 'bytes' | 'room'>,
  { before, open, end, empty }: Envelope,
): Buffer {
  if (bytes.length === 0) return Buffer.from(empty);
  // A page with few fields has much more room than records, which would be kept until a slow client has read it.
  if (before !== '' || room < end.length || room > bytes.length) {
    return Buffer.concat([Buffer.from(before), open(bytes), Buffer.from(end)]);
  }
  // The end fits behind the records, so they need not be copied.
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length + end.length);
  body.write(end, bytes.length, 'latin1');
  const opened = open(body);
  return Buffer.from(opened.buffer, opened.byteOffset, opened.byteLength);
}

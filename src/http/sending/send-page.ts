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
  const page =
    (await deps.monthCache?.page(plan)) ?? (await readPage(plan, plan.limit, deps, signal));
  const { last, isFollowed } = page;
  if (last !== undefined && isFollowed) linkToNext(reply, last, scope);
  return await sendPageBytes(page, envelopeOf(plan), reply);
}

/** Sends the records of a page that is in memory. */
export async function sendPageBytes(
  { bytes, rows }: Pick<Page, 'bytes' | 'rows'>,
  { before, open, end, empty }: Envelope,
  reply: FastifyReply,
): Promise<unknown> {
  const coding = contentCoding(reply.request.headers['accept-encoding']);
  reply.request.sentRows = rows;
  const parts =
    bytes.length === 0
      ? [Buffer.from(empty)]
      : [Buffer.from(before), open(bytes), Buffer.from(end)];
  const body = Buffer.concat(parts);
  freeBuffer(bytes);
  return await sendWhole(body, coding, reply);
}

/** Sends one page of a report, with a link to the next one where there is one (RFC 8288). */

import type { FastifyReply } from 'fastify';
import type { Position } from '../plan/position.ts';
import type { ReportPlan } from '../plan/report-plan.ts';
import type { PositionSource } from '../store/last-record.ts';
import { readPage } from '../store/report-page.ts';
import { sendWhole } from './compression.ts';
import { contentCoding } from './content-coding.ts';
import { type CursorSeal, cursorOf } from './cursor.ts';
import { envelopeOf } from './envelope.ts';
import { queryStringOf } from './query-string.ts';

export async function sendPage(
  plan: ReportPlan & { readonly limit: number },
  source: PositionSource,
  seal: CursorSeal,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  const coding = contentCoding(reply.request.headers['accept-encoding']);
  const { bytes, next } = await readPage(plan, plan.limit, source, signal);
  if (next !== undefined) linkToNext(reply, next, seal);
  const { before, open, end, empty } = envelopeOf(plan);
  const parts =
    bytes.length === 0
      ? [Buffer.from(empty)]
      : [Buffer.from(before), open(bytes), Buffer.from(end)];
  return await sendWhole(Buffer.concat(parts), coding, reply);
}

/** Says where the answer goes on, after the last record of the page. */
export function linkToNext(reply: FastifyReply, last: Position, seal: CursorSeal): void {
  reply.header('link', `<${nextUrl(reply, cursorOf(last, seal))}>; rel="next"`);
}

/** From the root of the host, as whoever asked knows it by another name than the service. */
function nextUrl({ request }: FastifyReply, cursor: string): string {
  const parameters = new URLSearchParams(queryStringOf(request));
  parameters.set('cursor', cursor);
  return `${request.routeOptions.url}?${parameters}`;
}

/** Sends one page of a report, with a link to the next one where there is one (RFC 8288). */

import type { FastifyReply } from 'fastify';
import type { ReportPlan } from '../plan/report-plan.ts';
import type { PositionSource } from '../store/last-record.ts';
import { readPage } from '../store/report-page.ts';
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
  const { bytes, next } = await readPage(plan, plan.limit, source, signal);
  if (next !== undefined) {
    reply.header('link', `<${nextUrl(reply, cursorOf(next, seal))}>; rel="next"`);
  }
  const { before, open, end, empty } = envelopeOf(plan);
  if (bytes.length === 0) return reply.send(empty);
  return reply.send(Buffer.concat([Buffer.from(before), open(bytes), Buffer.from(end)]));
}

/** From the root of the host, as whoever asked knows it by another name than the service. */
function nextUrl({ request }: FastifyReply, cursor: string): string {
  const parameters = new URLSearchParams(queryStringOf(request));
  parameters.set('cursor', cursor);
  return `${request.routeOptions.url}?${parameters}`;
}

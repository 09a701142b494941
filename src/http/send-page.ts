/** Sends one page of a report, with a link to the next one where there is one (RFC 8288). */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LONGEST_URL } from '../contract/openapi-operation.ts';
import { PARAMETERS } from '../contract/parameters.ts';
import { Problem } from '../contract/problems.ts';
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
  refuseWithoutRoom(reply);
  const { bytes, last, isFollowed } = await readPage(plan, plan.limit, source, signal);
  if (last !== undefined && isFollowed) linkToNext(reply, last, seal);
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
const nextUrl = ({ request }: FastifyReply, cursor: string): string =>
  `${request.routeOptions.url}?${[...otherParameters(request), `cursor=${cursor}`].join('&')}`;

/** All but the cursor, as they were sent. */
const otherParameters = (request: FastifyRequest): readonly string[] =>
  queryStringOf(request)
    .split('&')
    .filter((parameter) => parameter !== '' && !new URLSearchParams(parameter).has('cursor'));

/** Refuses a question that leaves no room for the cursor, before its first page goes out. */
export function refuseWithoutRoom(reply: FastifyReply): void {
  if (nextUrl(reply, ANY_CURSOR).length > LONGEST_URL) throw new Problem('uri_too_long');
}

const ANY_CURSOR = PARAMETERS.cursor.example;

/** `GET /api/{admin,affiliate}/transactions`: the transactions of a period. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.ts';
import { Problem } from '../contract/problems.ts';
import { readReportQuery } from '../contract/query.ts';
import { AUDIENCES, type Audience } from '../contract/records.ts';
import { planReport, type ReportPlan } from '../plan/report-plan.ts';
import type { Reader } from '../store/engine.ts';
import { KeptMonths } from '../store/kept-months.ts';
import type { PositionSource } from '../store/last-record.ts';
import { readReport } from '../store/report-stream.ts';
import { addHeader } from './add-header.ts';
import { beginDownload } from './admission.ts';
import { type Admission, askerOf } from './asker.ts';
import { ARRAY_END, EMPTY_ARRAY, openArray } from './json-array.ts';
import { readerLocale } from './reader-locale.ts';
import { sendBlocks } from './send-blocks.ts';

/** Milliseconds: five minutes. */
const STALL_TIMEOUT = 300_000;

export interface TransactionsSource extends Admission {
  readonly reader: Reader;
  readonly timeZone: string;
  /** Milliseconds after which a reader that takes nothing is cut. */
  readonly stallTimeout?: number | undefined;
}

export function transactionsRoutes(app: FastifyInstance, given: TransactionsSource): void {
  const source = { ...given, kept: new KeptMonths(given.reader) };
  for (const audience of AUDIENCES) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/api/${audience}/transactions`,
      handler: async (request, reply) => {
        addHeader(reply, 'vary', 'Authorization, Accept-Language');
        const principal = await askerOf(request, reply, source);
        const plan = planOf(request, audience, principal, source);
        reply.headers(headersOf(plan));
        await beginDownload(reply, principal.id, source.limits);
        return await sendReport(plan, source, reply);
      },
    });
  }
}

function planOf(
  request: FastifyRequest,
  audience: Audience,
  principal: Principal,
  { timeZone }: TransactionsSource,
): ReportPlan {
  if (principal.role !== audience) throw new Problem('wrong_role');
  const query = readReportQuery(queryStringOf(request));
  const locale = readerLocale(principal, request.headers['accept-language']);
  return planReport(query, principal, { timeZone, locale });
}

function queryStringOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

const headersOf = ({ locale }: ReportPlan): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'content-language': locale,
});

/** Waits for the first block before it promises success; from then on the answer is whole or cut. */
async function sendReport(
  plan: ReportPlan,
  source: TransactionsSource & PositionSource,
  reply: FastifyReply,
) {
  const leaving = new AbortController();
  reply.raw.once('close', () => leaving.abort());
  if (reply.raw.destroyed) leaving.abort();
  try {
    const records = readReport(plan, source, leaving.signal);
    return await sendRecords(records, reply, source.stallTimeout ?? STALL_TIMEOUT);
  } catch (error) {
    // Nobody is left to be told.
    if (leaving.signal.aborted) return reply.hijack();
    if (!reply.raw.headersSent) throw error;
    reply.request.log.error({ err: error }, 'answer cut');
  }
}

async function sendRecords(
  records: AsyncIterable<Uint8Array>,
  reply: FastifyReply,
  stallTimeout: number,
) {
  const blocks = records[Symbol.asyncIterator]();
  const first = await blocks.next();
  if (first.done) return reply.send(EMPTY_ARRAY);
  if (reply.request.method === 'HEAD') {
    await blocks.return?.();
    return reply.send();
  }
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  const all = beginningWith(openArray(first.value), blocks);
  reply.request.bodyBytes = await sendBlocks(reply.raw, all, ARRAY_END, stallTimeout);
}

async function* beginningWith<Item>(first: Item, rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  try {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

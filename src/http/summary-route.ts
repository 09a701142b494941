/** `GET /api/{admin,affiliate}/transactions/summary`: what the transactions of a period add up to. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.ts';
import { TEXT_FORMATS } from '../contract/formats.ts';
import { Problem } from '../contract/problems.ts';
import { readSummaryQuery, type SummaryQuery } from '../contract/query.ts';
import { AUDIENCES } from '../contract/records.ts';
import { TABLE_OF } from '../plan/report-table.ts';
import { planSummary } from '../plan/summary-plan.ts';
import { summaryStatement } from '../plan/summary-statement.ts';
import { readSummary } from '../store/summary-stream.ts';
import { addHeader } from './add-header.ts';
import { beginDownload } from './admission.ts';
import { type Admission, askerOf } from './asker.ts';
import { isAnsweredByTag, type TagSource } from './entity-tag.ts';
import { envelopeOf } from './envelope.ts';
import { queryStringOf } from './query-string.ts';
import { readerLocale } from './reader-locale.ts';
import { reportForm } from './report-form.ts';
import { answerHeaders } from './report-headers.ts';
import { type ReportSource, sendRecords, unlessLeft } from './send-report.ts';

type SummarySource = ReportSource & Admission & TagSource;

/** What of a request decides about its answer. */
const VARY = 'Authorization, Accept, Accept-Encoding, Accept-Language';

export function summaryRoutes(app: FastifyInstance, source: SummarySource): void {
  for (const audience of AUDIENCES) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/api/${audience}/transactions/summary`,
      handler: async (request, reply) => {
        addHeader(reply, 'vary', VARY);
        const principal = await askerOf(request, reply, source);
        if (principal.role !== audience) throw new Problem('wrong_role');
        const query = readSummaryQuery(queryStringOf(request), audience);
        return await answer(request, reply, principal, query, source);
      },
    });
  }
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
  query: SummaryQuery,
  source: SummarySource,
): Promise<unknown> {
  const plan = planSummary(query, principal, {
    timeZone: source.timeZone,
    locale: readerLocale(principal, request.headers['accept-language']),
    form: reportForm(query, request.headers.accept, TEXT_FORMATS),
  });
  await beginDownload(reply, principal.id, source.limits);
  return await unlessLeft(reply, async (signal) => {
    const table = TABLE_OF[plan.audience];
    if (await isAnsweredByTag(reply, plan, table, source, signal)) return reply.send();
    const name = `${query.type.join('-')}_summary_${query.start_date}_${query.end_date}`;
    reply.headers(answerHeaders(plan, name));
    const groups = readSummary(summaryStatement(plan), source.reader, signal);
    return await sendRecords(groups, envelopeOf(plan), source, reply);
  });
}

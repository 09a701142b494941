/** `GET /api/{admin,affiliate}/transactions/summary`: what the transactions of a period add up to. */

import type { FastifyInstance } from 'fastify';
import { TEXT_FORMATS } from '../../contract/query/formats.ts';
import { readSummaryQuery, type SummaryQuery } from '../../contract/query/query.ts';
import { TABLE_OF } from '../../plan/report-table.ts';
import { planSummary, type SummaryPlan } from '../../plan/summary-plan.ts';
import { summaryStatement } from '../../plan/summary-statement.ts';
import { readSummary } from '../../reading/summary-stream.ts';
import type { Admission } from '../guards/authenticate-request.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import type { EntityTagDeps } from '../replies/entity-tag.ts';
import { answerHeaders } from '../replies/report-headers.ts';
import { envelopeOf } from '../sending/envelope.ts';
import type { ExportDeps } from '../sending/send-file.ts';
import { sendRecords } from '../sending/send-report.ts';
import { type RouteQuestion, reportRoutes } from './report-route.ts';

type SummarySource = ExportDeps & Admission & EntityTagDeps;

export function summaryRoutes(app: FastifyInstance, source: SummarySource): void {
  reportRoutes(app, source, {
    path: 'transactions/summary',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language'],
    read: readSummaryQuery,
    plan: (asked) => {
      const plan = planOf(asked, source);
      return { plan, table: TABLE_OF[plan.role], isCounted: false };
    },
    send: async ({ plan }, { query }, reply, signal) => {
      const name = `${query.type.join('-')}_summary_${query.start_date}_${query.end_date}`;
      reply.headers(answerHeaders(plan, name));
      const groups = readSummary(summaryStatement(plan), source.reader, signal, source.exportFiles);
      return await sendRecords(groups, envelopeOf(plan), source, reply);
    },
  });
}

const planOf = (
  { request, principal, query }: RouteQuestion<SummaryQuery>,
  { timeZone }: SummarySource,
): SummaryPlan =>
  planSummary(query, principal, {
    timeZone,
    locale: responseLanguage(principal, request.headers['accept-language']),
    form: reportFormat(query, request.headers.accept, TEXT_FORMATS),
  });

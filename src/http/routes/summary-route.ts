/** `GET /api/{admin,affiliate}/transactions/summary`: totals of the transactions of a period. */

import type { FastifyInstance } from 'fastify';
import { summaryQuestion } from '../../audit/audit-question.ts';
import { TEXT_FORMATS } from '../../contract/query/formats.ts';
import { readSummaryQuery, type SummaryQuery } from '../../contract/query/query.ts';
import { todayIn } from '../../contract/record/retention.ts';
import { planSummary, type SummaryPlan } from '../../plan/aggregation/summary-plan.ts';
import { summaryStatement } from '../../plan/aggregation/summary-statement.ts';
import { summaryTable } from '../../plan/report-table.ts';
import { readSummary } from '../../reading/summary-stream.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import { reportHeaders } from '../replies/report-headers.ts';
import { envelopeOf } from '../sending/envelope.ts';
import { type ReportDeps, sendRecords } from '../sending/send-report.ts';
import { countedLines } from '../sending/sent-rows.ts';
import { type ReportRequest, type ReportRouteDeps, reportRoutes } from './report-route.ts';

type SummaryDeps = ReportDeps & ReportRouteDeps;

export function summaryRoutes(app: FastifyInstance, deps: SummaryDeps): void {
  reportRoutes(app, deps, {
    path: 'transactions/summary',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language'],
    readQuery: readSummaryQuery,
    question: summaryQuestion,
    plan: (report) => {
      const plan = planOf(report, deps);
      const table = summaryTable(plan, plan.groupings);
      return { plan, table, isCounted: false, hasNames: plan.hasNames };
    },
    send: async ({ plan }, { query, reader, files }, reply, signal) => {
      const name = `${query.type.join('-')}_summary_${query.start_date}_${query.end_date}`;
      reply.headers(reportHeaders(plan, name));
      const groups = readSummary(summaryStatement(plan), reader, signal, files);
      return await sendRecords(countedLines(groups, reply), envelopeOf(plan), deps, reply);
    },
  });
}

const planOf = (
  { request, principal, query }: ReportRequest<SummaryQuery>,
  { timeZone }: SummaryDeps,
): SummaryPlan =>
  planSummary(query, principal, {
    timeZone,
    today: todayIn(timeZone).toString(),
    locale: responseLanguage(principal, request.headers['accept-language']),
    form: reportFormat(query, request.headers.accept, TEXT_FORMATS),
  });

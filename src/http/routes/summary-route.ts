/** `GET /api/{admin,affiliate}/transactions/summary`: totals of the transactions of a period. */

import type { FastifyInstance } from 'fastify';
import { summaryQuestion } from '../../audit/audit-question.ts';
import { readSummaryQuery } from '../../contract/query/query.ts';
import { planSummary } from '../../plan/aggregation/summary-plan.ts';
import { summaryStatement } from '../../plan/aggregation/summary-statement.ts';
import { summaryTable } from '../../plan/report-table.ts';
import { readSummary } from '../../reading/summary-stream.ts';
import { reportHeaders } from '../replies/report-headers.ts';
import { envelopeOf } from '../sending/envelope.ts';
import { type SendDeps, sendRecords } from '../sending/send-list.ts';
import { countedLines } from '../sending/sent-rows.ts';
import { groupContext } from './group-context.ts';
import { type ReportRouteDeps, reportRoutes } from './report-route.ts';

type SummaryDeps = SendDeps & ReportRouteDeps;

export function summaryRoutes(app: FastifyInstance, deps: SummaryDeps): void {
  reportRoutes(app, deps, {
    path: 'transactions/summary',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language'],
    readQuery: readSummaryQuery,
    question: summaryQuestion,
    plan: (report) => {
      const { query, principal } = report;
      const plan = planSummary(query, principal, groupContext(report, deps));
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

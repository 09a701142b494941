/** `GET /api/{admin,affiliate}/performance`: measures and ratios of a period, such as earnings, by group. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { performanceQuestion } from '../../audit/audit-question.ts';
import { type PerformanceQuery, readPerformanceQuery } from '../../contract/query/query.ts';
import {
  type PerformancePlan,
  planPerformance,
  scannedPeriod,
} from '../../plan/aggregation/performance-plan.ts';
import { performanceStatement } from '../../plan/aggregation/performance-statement.ts';
import { summaryTable } from '../../plan/report-table.ts';
import { readPerformancePage } from '../../reading/pages/performance-page.ts';
import { readSummary } from '../../reading/summary-stream.ts';
import { linkToOffset, refuseTooLongNextUrl } from '../pagination/next-link.ts';
import { reportHeaders } from '../replies/report-headers.ts';
import { envelopeOf } from '../sending/envelope.ts';
import { type SendDeps, sendRecords } from '../sending/send-list.ts';
import { sendPageBytes } from '../sending/send-page.ts';
import { countedLines } from '../sending/sent-rows.ts';
import { groupContext } from './group-context.ts';
import { type ReportRequest, type ReportRouteDeps, reportRoutes } from './report-route.ts';

type PerformanceDeps = SendDeps & ReportRouteDeps;

export function performanceRoutes(app: FastifyInstance, deps: PerformanceDeps): void {
  reportRoutes(app, deps, {
    path: 'performance',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language'],
    readQuery: readPerformanceQuery,
    question: performanceQuestion,
    plan: (report) => {
      const { query, principal } = report;
      const plan = planPerformance(query, principal, groupContext(report, deps));
      const table = summaryTable(plan, plan.groupings);
      const { hasNames } = plan;
      return { plan, table, period: scannedPeriod(plan), isCounted: false, hasNames };
    },
    send: async ({ plan }, report, reply, signal) => {
      const { start_date, end_date } = report.query;
      reply.headers(reportHeaders(plan, `performance_${start_date}_${end_date}`));
      return await send(plan, report, deps, reply, signal);
    },
  });
}

async function send(
  plan: PerformancePlan,
  { query, reader, files }: ReportRequest<PerformanceQuery>,
  deps: PerformanceDeps,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  const { limit, offset } = plan;
  const envelope = envelopeOf(plan);
  if (limit === undefined) {
    const groups = readSummary(performanceStatement(plan), reader, signal, files);
    return await sendRecords(countedLines(groups, reply), envelope, deps, reply);
  }
  refuseTooLongNextUrl(reply, 'offset', query);
  const page = await readPerformancePage(plan, limit, reader, signal);
  if (page.isFollowed) linkToOffset(reply, offset + limit, query);
  return await sendPageBytes(page, envelope, reply);
}

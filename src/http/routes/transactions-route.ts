/** `GET /api/{admin,affiliate}/transactions`: the transactions of a period. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type ReportQuery, readReportQuery } from '../../contract/query/query.ts';
import type { Reader } from '../../engine/engine.ts';
import { isFilePlan } from '../../plan/file-statement.ts';
import { planReport, type ReportPlan } from '../../plan/report-plan.ts';
import { countStatement } from '../../plan/report-statement.ts';
import { tableOf } from '../../plan/report-table.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import type { Admission } from '../guards/authenticate-request.ts';
import { wantsCount } from '../negotiation/prefer-header.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import { openCursor } from '../pagination/cursor.ts';
import { refuseWithoutDiskSpace } from '../pagination/next-link.ts';
import type { EntityTagDeps } from '../replies/entity-tag.ts';
import { reportHeaders } from '../replies/report-headers.ts';
import { type ExportDeps, sendFile } from '../sending/send-file.ts';
import { sendPage } from '../sending/send-page.ts';
import { sendReport } from '../sending/send-report.ts';
import { type RouteQuestion, reportRoutes } from './report-route.ts';

export type TransactionsDeps = ExportDeps & Admission & EntityTagDeps;

export function transactionsRoutes(app: FastifyInstance, deps: TransactionsDeps): void {
  reportRoutes(app, deps, {
    path: 'transactions',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language', 'Prefer'],
    read: readReportQuery,
    plan: (asked) => {
      const plan = planOf(asked, deps);
      const isCounted = wantsCount(asked.request.headers.prefer);
      return { plan, table: tableOf(plan), isCounted };
    },
    send: async ({ plan, isCounted }, asked, reply, signal) => {
      if (isCounted) await addCount(reply, plan, deps.reader, signal);
      reply.headers(reportHeaders(plan, asked.query));
      return await send(plan, asked, deps, reply, signal);
    },
  });
}

const sealOf = (
  { principal, query }: RouteQuestion<ReportQuery>,
  { cursorKey }: EntityTagDeps,
) => ({
  key: cursorKey,
  principal,
  query,
});

function planOf(asked: RouteQuestion<ReportQuery>, source: TransactionsDeps): ReportPlan {
  const { request, principal, query } = asked;
  return planReport(query, principal, {
    timeZone: source.timeZone,
    locale: responseLanguage(principal, request.headers['accept-language']),
    form: reportFormat(query, request.headers.accept),
    after: query.cursor === undefined ? undefined : openCursor(query.cursor, sealOf(asked, source)),
  });
}

async function send(
  plan: ReportPlan,
  asked: RouteQuestion<ReportQuery>,
  source: TransactionsDeps,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  const seal = sealOf(asked, source);
  const { limit } = plan;
  if (limit !== undefined) refuseWithoutDiskSpace(reply);
  if (isFilePlan(plan)) return await sendFile(plan, source, seal, reply, signal);
  if (limit === undefined) return await sendReport(plan, source, reply, signal);
  return await sendPage({ ...plan, limit }, source, seal, reply, signal);
}

/** Of all records of the question, on whichever page they are. */
async function addCount(
  reply: FastifyReply,
  plan: ReportPlan,
  reader: Reader,
  signal: AbortSignal,
): Promise<void> {
  const rows = await new RetryPolicy(signal).untilDone(() =>
    reader.rows(countStatement(plan), signal),
  );
  const [counted] = rows as readonly { records: number }[];
  reply.headers({
    'x-total-count': String(counted?.records ?? 0),
    'preference-applied': 'count=exact',
  });
}

/** `GET /api/{admin,affiliate}/transactions`: the transactions of a period. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type ReportQuery, readReportQuery } from '../contract/query.ts';
import { isFilePlan } from '../plan/file-statement.ts';
import { planReport, type ReportPlan } from '../plan/report-plan.ts';
import { countStatement } from '../plan/report-statement.ts';
import { tableOf } from '../plan/report-table.ts';
import type { Reader } from '../store/engine.ts';
import { Failures } from '../store/failures.ts';
import { KeptMonths } from '../store/kept-months.ts';
import type { Admission } from './asker.ts';
import { openCursor } from './cursor.ts';
import type { TagSource } from './entity-tag.ts';
import { refuseWithoutRoom } from './next-link.ts';
import { wantsCount } from './preferences.ts';
import { readerLocale } from './reader-locale.ts';
import { reportForm } from './report-form.ts';
import { reportHeaders } from './report-headers.ts';
import { type Asked, reportRoutes } from './report-route.ts';
import { type FileSource, sendFile } from './send-file.ts';
import { sendPage } from './send-page.ts';
import { sendReport } from './send-report.ts';

export type TransactionsSource = FileSource & Admission & TagSource;

export function transactionsRoutes(app: FastifyInstance, given: TransactionsSource): void {
  const source = { ...given, kept: new KeptMonths(given.reader) };
  reportRoutes(app, source, {
    path: 'transactions',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language', 'Prefer'],
    read: readReportQuery,
    plan: (asked) => {
      const plan = planOf(asked, source);
      const isCounted = wantsCount(asked.request.headers.prefer);
      return { plan, table: tableOf(plan), isCounted };
    },
    send: async ({ plan, isCounted }, asked, reply, signal) => {
      if (isCounted) await addCount(reply, plan, source.reader, signal);
      reply.headers(reportHeaders(plan, asked.query));
      return await send(plan, asked, source, reply, signal);
    },
  });
}

const sealOf = ({ principal, query }: Asked<ReportQuery>, { cursorKey }: TagSource) => ({
  key: cursorKey,
  principal,
  query,
});

function planOf(asked: Asked<ReportQuery>, source: TransactionsSource): ReportPlan {
  const { request, principal, query } = asked;
  return planReport(query, principal, {
    timeZone: source.timeZone,
    locale: readerLocale(principal, request.headers['accept-language']),
    form: reportForm(query, request.headers.accept),
    after: query.cursor === undefined ? undefined : openCursor(query.cursor, sealOf(asked, source)),
  });
}

async function send(
  plan: ReportPlan,
  asked: Asked<ReportQuery>,
  source: TransactionsSource,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  const seal = sealOf(asked, source);
  const { limit } = plan;
  if (limit !== undefined) refuseWithoutRoom(reply);
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
  const rows = await new Failures(signal).untilDone(() =>
    reader.rows(countStatement(plan), signal),
  );
  const [counted] = rows as readonly { records: number }[];
  reply.headers({
    'x-total-count': String(counted?.records ?? 0),
    'preference-applied': 'count=exact',
  });
}

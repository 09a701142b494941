/** `GET /api/{admin,affiliate}/transactions`: lists the transactions of a period. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { listQuestion } from '../../audit/audit-question.ts';
import { type ListQuery, readListQuery } from '../../contract/query/query.ts';
import { isFilePlan } from '../../plan/file-statement.ts';
import { hasNames, type ListPlan, planList } from '../../plan/list-plan.ts';
import { countStatement } from '../../plan/list-statement.ts';
import { listTable } from '../../plan/report-table.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import { wantsCount } from '../negotiation/prefer-header.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import { type CursorScope, readCursor } from '../pagination/cursor.ts';
import { refuseTooLongNextUrl } from '../pagination/next-link.ts';
import { listHeaders } from '../replies/report-headers.ts';
import type { FileDeps } from '../sending/kept-list.ts';
import { sendFile } from '../sending/send-file.ts';
import { type SendDeps, sendList } from '../sending/send-list.ts';
import { sendPage } from '../sending/send-page.ts';
import type { FeedDeps } from './await-changes.ts';
import { addChangesPosition } from './changes-route.ts';
import { type ReportRequest, type ReportRouteDeps, reportRoutes } from './report-route.ts';

export type TransactionsDeps = SendDeps & ReportRouteDeps & FeedDeps & Pick<FileDeps, 'keptFiles'>;

export function transactionsRoutes(app: FastifyInstance, deps: TransactionsDeps): void {
  reportRoutes(app, deps, {
    path: 'transactions',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language', 'Prefer'],
    readQuery: readListQuery,
    question: listQuestion,
    plan: (report) => {
      const plan = planOf(report, deps);
      const isCounted = wantsCount(report.request.headers.prefer);
      const isFile = isFilePlan(plan);
      return { plan, table: listTable(plan), isCounted, hasNames: hasNames(plan), isFile };
    },
    send: async ({ plan, isCounted }, report, reply, signal) => {
      const own = { ...deps, reader: report.reader, files: report.files };
      const { limit } = plan;
      if (limit === undefined) {
        // The feed position and the months that retention keeps are read concurrently, because each may need a
        // statement on ClickHouse servers. The list then gets the months from the cache. After a failure, which is
        // ignored here, it reads them again.
        const kept = deps.tableVersions.keptFrom().catch(() => undefined);
        await Promise.all([addChangesPosition(reply, plan, report, deps, signal), kept]);
      }
      if (isCounted) addCount(reply, await countOf(plan, own, signal));
      reply.headers(listHeaders(plan, report.query));
      return await send(plan, report, own, reply, signal);
    },
  });
}

const scopeOf = (
  { principal, query }: ReportRequest<ListQuery>,
  { cursorKey }: TransactionsDeps,
): CursorScope => ({ key: cursorKey, principal, query });

function planOf(report: ReportRequest<ListQuery>, deps: TransactionsDeps): ListPlan {
  const { request, principal, query } = report;
  return planList(query, principal, {
    timeZone: deps.timeZone,
    locale: responseLanguage(principal, request.headers['accept-language']),
    form: reportFormat(query, request.headers.accept),
    after: query.cursor === undefined ? undefined : readCursor(query.cursor, scopeOf(report, deps)),
  });
}

async function send(
  plan: ListPlan,
  report: ReportRequest<ListQuery>,
  deps: TransactionsDeps & Pick<FileDeps, 'files'>,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  const scope = scopeOf(report, deps);
  const { limit } = plan;
  if (limit !== undefined) refuseTooLongNextUrl(reply, 'cursor', report.query);
  if (isFilePlan(plan)) return await sendFile(plan, { ...deps, scope }, reply, signal);
  if (limit === undefined) return await sendList(plan, deps, reply, signal);
  return await sendPage({ ...plan, limit }, deps, scope, reply, signal);
}

/** Counts the records of all pages. */
async function countOf(
  plan: ListPlan,
  { reader, monthCache }: TransactionsDeps,
  signal: AbortSignal,
): Promise<number> {
  const cached = await monthCache?.count(plan);
  if (cached !== undefined) return cached;
  const [counted] = await new RetryPolicy(signal).run(() =>
    reader.rows(countStatement(plan), signal),
  );
  return counted?.records ?? 0;
}

const addCount = (reply: FastifyReply, count: number): FastifyReply =>
  reply.headers({ 'x-total-count': String(count), 'preference-applied': 'count=exact' });

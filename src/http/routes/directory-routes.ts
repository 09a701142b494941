/** `GET /api/{admin,affiliate}/programs` and `/publishers`: identifiers and names that the token may see. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { directoryQuestion } from '../../audit/audit-question.ts';
import { TEXT_FORMATS } from '../../contract/query/formats.ts';
import { type DirectoryQuery, readDirectoryQuery } from '../../contract/query/query.ts';
import { LISTED_DIRECTORIES, type ListedDirectory } from '../../contract/record/directory.ts';
import { DIRECTORY } from '../../plan/directory/directory-names.ts';
import { type DirectoryPlan, planDirectory } from '../../plan/directory/directory-plan.ts';
import { directoryStatement, pageIdsStatement } from '../../plan/directory/directory-statement.ts';
import { PARTNERSHIPS } from '../../plan/report-table.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import { readSummary } from '../../reading/summary-stream.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import { type CursorScope, readCursor } from '../pagination/cursor.ts';
import { linkToNext, refuseTooLongNextUrl } from '../pagination/next-link.ts';
import { reportHeaders } from '../replies/report-headers.ts';
import { envelopeOf } from '../sending/envelope.ts';
import { type SendDeps, sendRecords } from '../sending/send-list.ts';
import { countedLines } from '../sending/sent-rows.ts';
import { type ReportRequest, type ReportRouteDeps, reportRoutes } from './report-route.ts';

type DirectoryDeps = SendDeps & ReportRouteDeps;

type DirectoryRequest = ReportRequest<DirectoryQuery>;

export function directoryRoutes(app: FastifyInstance, deps: DirectoryDeps): void {
  for (const of of LISTED_DIRECTORIES) {
    const scopeOf = ({ principal, query }: DirectoryRequest): CursorScope => ({
      key: deps.cursorKey,
      principal,
      query: { ...query, of },
    });
    reportRoutes(app, deps, {
      path: of,
      varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language'],
      readQuery: readDirectoryQuery,
      question: (query, principal) => directoryQuestion(of, query, principal),
      plan: (report) => ({
        plan: planOf(of, report, scopeOf(report)),
        table: DIRECTORY,
        furtherTables: [PARTNERSHIPS],
        isCounted: false,
      }),
      send: async ({ plan }, report, reply, signal) =>
        await send(plan, report, scopeOf(report), deps, reply, signal),
    });
  }
}

const planOf = (
  of: ListedDirectory,
  { request, principal, query }: DirectoryRequest,
  scope: CursorScope,
): DirectoryPlan =>
  planDirectory(of, query, principal, {
    locale: responseLanguage(principal, request.headers['accept-language']),
    form: reportFormat(query, request.headers.accept, TEXT_FORMATS),
    after: query.cursor === undefined ? undefined : readCursor(query.cursor, scope),
  });

async function send(
  plan: DirectoryPlan,
  { reader, files }: DirectoryRequest,
  scope: CursorScope,
  deps: DirectoryDeps,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<unknown> {
  const { limit } = plan;
  let through: number | undefined;
  if (limit !== undefined) {
    refuseTooLongNextUrl(reply, 'cursor', scope.query);
    const page = await new RetryPolicy(signal).run(() =>
      reader.rows(pageIdsStatement(plan, limit), signal),
    );
    if (page.length > limit) {
      through = page[limit - 1]?.id ?? 0;
      linkToNext(reply, { at: 0, transactionId: through }, scope);
    }
  }
  reply.headers(reportHeaders(plan, plan.of));
  const entries = readSummary(directoryStatement(plan, through), reader, signal, files);
  return await sendRecords(countedLines(entries, reply), envelopeOf(plan), deps, reply);
}

/** `GET /api/{admin,affiliate}/transactions`: the transactions of a period. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.ts';
import { Problem } from '../contract/problems.ts';
import { type ReportQuery, readReportQuery } from '../contract/query.ts';
import { AUDIENCES } from '../contract/records.ts';
import { isFilePlan } from '../plan/file-statement.ts';
import { planReport, type ReportPlan } from '../plan/report-plan.ts';
import { countStatement } from '../plan/report-statement.ts';
import { tableOf } from '../plan/report-table.ts';
import type { Reader } from '../store/engine.ts';
import { KeptMonths } from '../store/kept-months.ts';
import { OutgoingFiles } from '../store/outgoing-files.ts';
import { addHeader } from './add-header.ts';
import { beginDownload } from './admission.ts';
import { type Admission, askerOf } from './asker.ts';
import { openCursor } from './cursor.ts';
import { isAnsweredByTag, type TagSource } from './entity-tag.ts';
import { wantsCount } from './preferences.ts';
import { queryStringOf } from './query-string.ts';
import { readerLocale } from './reader-locale.ts';
import { reportForm } from './report-form.ts';
import { reportHeaders } from './report-headers.ts';
import { type FileSource, sendFile } from './send-file.ts';
import { sendPage } from './send-page.ts';
import { type ReportSource, sendReport, unlessLeft } from './send-report.ts';

export interface TransactionsSource extends ReportSource, Admission, TagSource {
  /** Where files are made before they are sent; among the system's temporary ones where not given. */
  readonly outgoing?: string | undefined;
}

/** What of a request decides about its answer. */
const VARY = 'Authorization, Accept, Accept-Encoding, Accept-Language, Prefer';

export function transactionsRoutes(app: FastifyInstance, given: TransactionsSource): void {
  const files = new OutgoingFiles(given.outgoing);
  app.addHook('onReady', async () => await files.clear());
  app.addHook('onClose', async () => await files.close());
  const source = { ...given, files, kept: new KeptMonths(given.reader) };
  for (const audience of AUDIENCES) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/api/${audience}/transactions`,
      handler: async (request, reply) => {
        addHeader(reply, 'vary', VARY);
        const principal = await askerOf(request, reply, source);
        if (principal.role !== audience) throw new Problem('wrong_role');
        const query = readReportQuery(queryStringOf(request), audience);
        return await answer(request, reply, principal, query, source);
      },
    });
  }
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
  query: ReportQuery,
  source: TransactionsSource & FileSource,
): Promise<unknown> {
  const seal = { key: source.cursorKey, principal, query };
  const plan = planReport(query, principal, {
    timeZone: source.timeZone,
    locale: readerLocale(principal, request.headers['accept-language']),
    form: reportForm(query, request.headers.accept),
    after: query.cursor === undefined ? undefined : openCursor(query.cursor, seal),
  });
  await beginDownload(reply, principal.id, source.limits);
  return await unlessLeft(reply, async (signal) => {
    if (await isAnsweredByTag(reply, plan, tableOf(plan), source, signal)) return reply.send();
    if (wantsCount(request.headers.prefer)) await addCount(reply, plan, source.reader);
    reply.headers(reportHeaders(plan, query));
    if (isFilePlan(plan)) return await sendFile(plan, source, seal, reply, signal);
    const { limit } = plan;
    if (limit === undefined) return await sendReport(plan, source, reply, signal);
    return await sendPage({ ...plan, limit }, source, seal, reply, signal);
  });
}

/** Of all records of the question, on whichever page they are. */
async function addCount(reply: FastifyReply, plan: ReportPlan, reader: Reader): Promise<void> {
  const [counted] = (await reader.rows(countStatement(plan))) as readonly { records: number }[];
  reply.headers({
    'x-total-count': String(counted?.records ?? 0),
    'preference-applied': 'count=exact',
  });
}

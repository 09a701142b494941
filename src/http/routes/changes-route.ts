/** `GET /api/{admin,affiliate}/transactions/changes`: the changes of transactions, in the order of imports. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { changesQuestion } from '../../audit/audit-question.ts';
import { CHANGE_FORMATS } from '../../contract/query/formats.ts';
import { type ChangesQuery, readChangesQuery } from '../../contract/query/query.ts';
import { KINDS } from '../../contract/record/kinds.ts';
import { type ChangePlan, planChanges } from '../../plan/changes/change-plan.ts';
import { TABLE_OF } from '../../plan/report-table.ts';
import { changesBody } from '../../reading/changes/changes-body.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import {
  type ClientPosition,
  type FeedScope,
  feedPositionText,
  readFeedPosition,
} from '../pagination/change-cursor.ts';
import { linkToChanges, refuseTooLongNextUrl } from '../pagination/next-link.ts';
import { reportHeaders } from '../replies/report-headers.ts';
import { sendWhole } from '../sending/compression.ts';
import { awaitChanges, type FeedDeps, headOf } from './await-changes.ts';
import { type ReportRequest, reportRoutes } from './report-route.ts';

export function changesRoutes(app: FastifyInstance, deps: FeedDeps): void {
  // Ends the waits of readers, so that they do not delay the shutdown.
  app.addHook('preClose', async () => deps.waiters.close());
  reportRoutes(app, deps, {
    path: 'transactions/changes',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language'],
    mayWait: true,
    readQuery: readChangesQuery,
    question: changesQuestion,
    plan: (report) => {
      const plan = planOf(report, deps);
      return { plan, table: TABLE_OF[plan.role], isCounted: false };
    },
    send: async ({ plan }, report, reply, signal) => {
      const coding = contentCoding(reply.request.headers['accept-encoding']);
      refuseTooLongNextUrl(reply, 'after', report.query);
      const scope = scopeOf(plan, report, deps);
      const position = await positionOf(plan, report, deps, signal);
      const { reader, principal, query } = report;
      const following = { reader, principal, plan, reply, wait: query.wait ?? 0 };
      const { changes, next } = await awaitChanges(position, following, deps, signal);
      linkToChanges(reply, feedPositionText(next, scope), report.query);
      reply.headers(reportHeaders(plan, `${plan.kinds.join('-')}_changes`));
      reply.request.sentRows = changes.length;
      return await sendWhole(changesBody(changes, plan.form), coding, reply);
    },
  });
}

const planOf = (
  { request, principal, query }: ReportRequest<ChangesQuery>,
  { timeZone }: FeedDeps,
): ChangePlan =>
  planChanges(query, principal, {
    timeZone,
    locale: responseLanguage(principal, request.headers['accept-language']),
    form: reportFormat(query, request.headers.accept, CHANGE_FORMATS),
  });

const scopeOf = (
  plan: Pick<ChangePlan, 'programIds' | 'publisherIds'>,
  { principal }: Pick<ReportRequest<unknown>, 'principal'>,
  { cursorKey }: FeedDeps,
): FeedScope => ({ key: cursorKey, principal, selection: plan });

/** The position that the query names, or else the present end of the feed. */
async function positionOf(
  plan: ChangePlan,
  report: ReportRequest<ChangesQuery>,
  deps: FeedDeps,
  signal: AbortSignal,
): Promise<ClientPosition> {
  const { after } = report.query;
  const { kinds } = plan;
  if (after !== undefined) return readFeedPosition(after, kinds, scopeOf(plan, report, deps));
  const { origin, newest } = await headOf(deps, signal);
  return { origin, number: newest, kinds };
}

/** Sets the header with the feed position for a list. The position is read before the list, so no change is missed. */
export async function addChangesPosition(
  reply: FastifyReply,
  plan: Pick<ChangePlan, 'programIds' | 'publisherIds'>,
  report: Pick<ReportRequest<unknown>, 'principal'>,
  deps: FeedDeps,
  signal: AbortSignal,
): Promise<void> {
  const { origin, newest } = await headOf(deps, signal);
  const position = { origin, number: newest, kinds: KINDS };
  reply.header('changes-after', feedPositionText(position, scopeOf(plan, report, deps)));
}

/** `GET /api/{admin,affiliate}/transactions/changes`: the changes of transactions, in the order of imports. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { changesQuestion } from '../../audit/audit-question.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { CHANGE_FORMATS } from '../../contract/query/formats.ts';
import { type ChangesQuery, readChangesQuery } from '../../contract/query/query.ts';
import { KINDS } from '../../contract/record/kinds.ts';
import { type ChangePlan, planChanges } from '../../plan/changes/change-plan.ts';
import type { FeedHead } from '../../plan/changes/change-statements.ts';
import { TABLE_OF } from '../../plan/report-table.ts';
import { readChangePage } from '../../reading/changes/change-page.ts';
import { type PublicationLog, UnknownPosition } from '../../reading/changes/publication-log.ts';
import { RetryPolicy } from '../../reading/retry.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import {
  changeCursor,
  type FeedScope,
  readChangeCursor,
  type StoredPosition,
} from '../pagination/change-cursor.ts';
import { linkToChanges, refuseTooLongChangesUrl } from '../pagination/next-link.ts';
import { reportHeaders } from '../replies/report-headers.ts';
import { sendWhole } from '../sending/compression.ts';
import { changesBody } from './changes-body.ts';
import { type ReportRequest, type ReportRouteDeps, reportRoutes } from './report-route.ts';

export interface ChangesDeps extends ReportRouteDeps {
  readonly publications: PublicationLog;
}

export function changesRoutes(app: FastifyInstance, deps: ChangesDeps): void {
  reportRoutes(app, deps, {
    path: 'transactions/changes',
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language'],
    isUntagged: true,
    readQuery: readChangesQuery,
    question: changesQuestion,
    plan: (report) => {
      const plan = planOf(report);
      return { plan, table: TABLE_OF[plan.role], isCounted: false };
    },
    send: async ({ plan }, report, reply, signal) => {
      const coding = contentCoding(reply.request.headers['accept-encoding']);
      refuseTooLongChangesUrl(reply);
      const scope = scopeOf(plan, report, deps);
      const { changes, next } = await readChanges(plan, report, deps, signal);
      linkToChanges(reply, changeCursor(next, scope));
      reply.headers(reportHeaders(plan, `${plan.kinds.join('-')}_changes`));
      reply.request.sentRows = changes.length;
      return await sendWhole(changesBody(changes, plan.form), coding, reply);
    },
  });
}

const planOf = ({ request, principal, query }: ReportRequest<ChangesQuery>): ChangePlan =>
  planChanges(query, principal, {
    locale: responseLanguage(principal, request.headers['accept-language']),
    form: reportFormat(query, request.headers.accept, CHANGE_FORMATS),
  });

const scopeOf = (
  plan: Pick<ChangePlan, 'programIds' | 'publisherIds'>,
  { principal }: Pick<ReportRequest<unknown>, 'principal'>,
  { cursorKey }: ChangesDeps,
): FeedScope => ({ key: cursorKey, principal, selection: plan });

async function readChanges(
  plan: ChangePlan,
  report: ReportRequest<ChangesQuery>,
  deps: ChangesDeps,
  signal: AbortSignal,
) {
  const { after } = report.query;
  const { publications } = deps;
  const headNow = async () => await new RetryPolicy(signal).run(() => publications.head());
  const head = await headNow();
  const { origin } = head;
  if (after === undefined) {
    return { changes: [], next: { origin, number: head.newest, kinds: plan.kinds } };
  }
  const position = readChangeCursor(after, plan.kinds, scopeOf(plan, report, deps));
  refuseExpired(position, head);
  const own = { reader: report.reader, publications };
  const page = await readChangePage(plan, position, own, signal).catch((error: unknown) => {
    throw error instanceof UnknownPosition ? new Problem('changes_expired') : error;
  });
  // The changes may have been removed while they were read.
  refuseExpired(position, await headNow());
  return { changes: page.changes, next: { ...page.next, origin, kinds: plan.kinds } };
}

function refuseExpired({ origin, number }: StoredPosition, head: FeedHead): void {
  if (origin !== head.origin || number < head.restarted) throw new Problem('changes_expired');
}

/** Sets the position from which the changes of a list follow. Read before the list. */
export async function addPosition(
  reply: FastifyReply,
  plan: Pick<ChangePlan, 'programIds' | 'publisherIds'>,
  report: Pick<ReportRequest<unknown>, 'principal'>,
  deps: ChangesDeps,
): Promise<void> {
  const { origin, newest } = await deps.publications.head();
  const position = { origin, number: newest, kinds: KINDS };
  reply.header('changes-after', changeCursor(position, scopeOf(plan, report, deps)));
}

/** `GET /api/{admin,affiliate}/transactions/{type}/{transaction_id}`: one transaction. */

import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { listQuestion } from '../../audit/audit-question.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { readTransactionQuery } from '../../contract/query/query.ts';
import { KINDS, type Kind } from '../../contract/record/kinds.ts';
import { hasNames, planList } from '../../plan/list-plan.ts';
import { RECORD_SEPARATORS } from '../../plan/rendering/stored-records.ts';
import { listTable } from '../../plan/report-table.ts';
import { readPage } from '../../reading/pages/list-page.ts';
import { contentCoding } from '../negotiation/content-coding.ts';
import { reportFormat } from '../negotiation/report-format.ts';
import { responseLanguage } from '../negotiation/response-language.ts';
import { tagsIn } from '../replies/entity-tag.ts';
import { reportHeaders } from '../replies/report-headers.ts';
import { sendWhole } from '../sending/compression.ts';
import { reportRoutes } from './report-route.ts';
import type { TransactionsDeps } from './transactions-route.ts';

const PARAMS = v.object({ transaction_id: v.string() });

/** One route per type, so that a path with another type does not exist. */
export function transactionRoutes(app: FastifyInstance, deps: TransactionsDeps): void {
  for (const kind of KINDS) transactionRoute(app, deps, kind);
}

function transactionRoute(app: FastifyInstance, deps: TransactionsDeps, kind: Kind): void {
  reportRoutes(app, deps, {
    path: `transactions/${kind}/:transaction_id`,
    varies: ['Authorization', 'Accept', 'Accept-Encoding', 'Accept-Language'],
    readQuery: (queryString, role, { params }) =>
      readTransactionQuery(kind, v.parse(PARAMS, params).transaction_id, queryString, role),
    question: listQuestion,
    plan: ({ request, principal, query }) => {
      const plan = planList(query, principal, {
        timeZone: deps.timeZone,
        locale: responseLanguage(principal, request.headers['accept-language']),
        form: reportFormat({}, request.headers.accept, ['json']),
      });
      const table = listTable(plan);
      return { plan, table, isCounted: false, hasNames: hasNames(plan), mayBeMissing: true };
    },
    send: async ({ plan }, { query, reader }, reply, signal) => {
      const coding = contentCoding(reply.request.headers['accept-encoding']);
      const cached = await deps.monthCache?.page(plan);
      signal.throwIfAborted();
      const { bytes, rows } = cached ?? (await readPage(plan, 1, { ...deps, reader }, signal));
      if (rows === 0) throw new Problem('transaction_not_found');
      if (tagsIn(reply.request.headers['if-none-match']).includes('*')) {
        return reply.code(304).send();
      }
      reply.request.sentRows = rows;
      reply.headers(reportHeaders(plan, `${query.type}_${query.transaction_id}`));
      const record = bytes.subarray(RECORD_SEPARATORS.json.length);
      return await sendWhole(Buffer.concat([record, Buffer.from('\n')]), coding, reply);
    },
  });
}

/** What every report goes through: who asks, what, what is planned, whether it is known already. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { ROLES, type Role } from '../../contract/record/records.ts';
import { beginDownload } from '../guards/admission.ts';
import { type Admission, authenticateRequest } from '../guards/authenticate-request.ts';
import { queryStringOf } from '../query-string.ts';
import { appendHeader } from '../replies/append-header.ts';
import { type EntityTagDeps, isAnsweredByTag, type Tagged } from '../replies/entity-tag.ts';
import { abortOnDisconnect } from '../sending/abort-on-disconnect.ts';

/** Who asked, and what. */
export interface RouteQuestion<Query> {
  readonly request: FastifyRequest;
  readonly principal: Principal;
  readonly query: Query;
}

export interface Report<Query, Plan extends Tagged> {
  /** Below the role's own path. */
  readonly path: string;
  /** The headers of a request that decide about the answer. */
  readonly varies: readonly string[];
  readonly read: (queryString: string, role: Role) => Query;
  /** Throws a Problem where the question goes beyond what the principal may see. */
  readonly plan: (asked: RouteQuestion<Query>) => Plan;
  readonly send: (
    plan: Plan,
    asked: RouteQuestion<Query>,
    reply: FastifyReply,
    signal: AbortSignal,
  ) => Promise<unknown>;
}

/** Serves a report to both roles, each at its own path. */
export function reportRoutes<Query, Plan extends Tagged>(
  app: FastifyInstance,
  source: Admission & EntityTagDeps,
  report: Report<Query, Plan>,
): void {
  for (const role of ROLES) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/api/${role}/${report.path}`,
      handler: async (request, reply) => {
        appendHeader(reply, 'vary', report.varies.join(', '));
        const principal = await authenticateRequest(request, reply, source);
        if (principal.role !== role) throw new Problem('wrong_role');
        const query = report.read(queryStringOf(request), role);
        const asked = { request, principal, query };
        const plan = report.plan(asked);
        return await abortOnDisconnect(reply, async (signal) => {
          if (await isAnsweredByTag(reply, plan, source, signal)) return reply.send();
          await beginDownload(reply, principal.id, source.limits);
          return await report.send(plan, asked, reply, signal);
        });
      },
    });
  }
}

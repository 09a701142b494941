/** Route of a report: authenticate, read the query, plan, compare the entity tag, send. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Question } from '../../audit/audit-question.ts';
import type { HashValue } from '../../audit/value-hash.ts';
import type { AccessWatch } from '../../auth/access-watch.ts';
import { clientKeyOf, type Principal } from '../../auth/principal.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { ROLES, type Role } from '../../contract/record/records.ts';
import type { ClientFiles, ExportFiles } from '../../disk/export-files.ts';
import type { Reader } from '../../engine/engine.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { clientReader } from '../../reading/client-reader.ts';
import { admitDownload, admitPart } from '../guards/admission.ts';
import { type AuthenticationDeps, authenticateRequest } from '../guards/authenticate-request.ts';
import { READ_METHODS } from '../guards/method-guard.ts';
import { queryStringOf } from '../query-string.ts';
import { appendHeader } from '../replies/append-header.ts';
import { type EntityTagDeps, type Representation, setEntityTag } from '../replies/entity-tag.ts';
import type { AuditedReport } from '../replies/response-audit.ts';
import { countOpenDownload } from '../replies/response-metrics.ts';
import { asksForPart } from '../sending/kept-list.ts';
import { respondUntilEnd, type WatchAccess } from '../sending/respond-until-end.ts';

/** An authenticated request and its query. */
export interface ReportRequest<Query> {
  readonly request: FastifyRequest;
  readonly principal: Principal;
  readonly query: Query;
  /** Reads on behalf of the principal. */
  readonly reader: Reader;
  /** The temporary files of the principal. */
  readonly files: ClientFiles;
}

export interface ReportRoute<Query, Plan extends Representation> {
  /** Relative to the path of the role. */
  readonly path: string;
  /** The request headers for `Vary`. */
  readonly varies: readonly string[];
  /** Whether the response may wait for rows. It then has no entity tag, and takes a download slot only for rows. */
  readonly mayWait?: true;
  readonly readQuery: (queryString: string, role: Role, request: FastifyRequest) => Query;
  /** What the audit log keeps of the query. */
  readonly question: (query: Query, principal: Principal, hash: HashValue) => Question;
  /** Throws a Problem if the query exceeds what the principal may see. */
  readonly plan: (report: ReportRequest<Query>) => Plan;
  readonly send: (
    plan: Plan,
    report: ReportRequest<Query>,
    reply: FastifyReply,
    signal: AbortSignal,
  ) => Promise<unknown>;
}

export interface ReportRouteDeps extends AuthenticationDeps, EntityTagDeps {
  readonly reader: Reader;
  /** The secret that signs cursors. */
  readonly cursorKey: Buffer;
  readonly exportFiles: Pick<ExportFiles, 'forClient'>;
  readonly accessWatch: Pick<AccessWatch, 'watch'>;
  readonly metrics: Metrics;
}

const wrongRole = ({ role }: Principal, { routeOptions }: FastifyRequest): Problem => {
  // The last match, because a base path may contain `/api/`, too.
  const url = routeOptions.url?.replace(/^(.*\/api)\/(?:admin|affiliate)\//, `$1/${role}/`);
  return new Problem('wrong_role', { hint: `The token has the role ${role}: use ${url}.` });
};

/**
 * Returns the function that makes the question of a request for the audit log.
 *
 * A closure inside the handler would keep all variables of the handler alive. With such a closure, or a getter
 * in the report, each request kept 7 kB until V8 next collected the whole heap.
 */
const questionOf =
  <Query>(ask: ReportRoute<Query, never>['question'], query: Query, principal: Principal) =>
  (hash: HashValue): Question =>
    ask(query, principal, hash);

/** Adds the route for each role. */
export function reportRoutes<Query, Plan extends Representation>(
  app: FastifyInstance,
  deps: ReportRouteDeps,
  route: ReportRoute<Query, Plan>,
): void {
  for (const role of ROLES) {
    app.route({
      method: READ_METHODS,
      url: `/api/${role}/${route.path}`,
      handler: async (request, reply) => {
        appendHeader(reply, 'vary', route.varies.join(', '));
        const principal = await authenticateRequest(request, reply, deps);
        const audited: AuditedReport = {};
        request.auditedReport = audited;
        if (principal.role !== role) throw wrongRole(principal, request);
        const query = route.readQuery(queryStringOf(request), role, request);
        audited.question = questionOf(route.question, query, principal);
        const client = () => clientKeyOf(principal);
        const reader = clientReader(deps.reader, client);
        const files = deps.exportFiles.forClient(client);
        const report: ReportRequest<Query> = { request, principal, query, reader, files };
        const plan = route.plan(report);
        audited.format = plan.plan.form;
        const watchAccess: WatchAccess = (end) => deps.accessWatch.watch(principal, end);
        if (route.mayWait) {
          // Returned without `await`, so that a waiting reader keeps no async frame in memory.
          return respondUntilEnd(reply, watchAccess, (signal) =>
            route.send(plan, report, reply, signal),
          );
        }
        return await respondUntilEnd(reply, watchAccess, async (signal) => {
          if (await setEntityTag(reply, plan, deps, signal)) return reply.send();
          const isPart = plan.isFile === true && asksForPart(request);
          await (isPart ? admitPart : admitDownload)(reply, principal.id, deps.limits);
          countOpenDownload(reply, deps.metrics);
          return await route.send(plan, report, reply, signal);
        });
      },
    });
  }
}

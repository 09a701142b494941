/**
 * Writes reports and refusals of access to the audit log when their response has ended.
 *
 * Refusals are sampled, because anyone can cause them. Refusals of requests with a valid token are sampled
 * separately, so that a flood of requests without one cannot hide them.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuditEvent, ReportOutcome } from '../../audit/audit-events.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Question } from '../../audit/audit-question.ts';
import type { HashValue } from '../../audit/value-hash.ts';
import { isFromTool, MCP } from '../mcp/loopback-request.ts';
import { wasCut } from '../sending/cut.ts';
import { LogSampler } from './log-sampler.ts';
import { actorOf } from './request-actor.ts';
import type { ResponseListener } from './response-end.ts';
import { sentBytesOf } from './response-metrics.ts';

/** What is known of a request for a report. */
export interface AuditedReport {
  /** Undefined if the query is not valid. */
  question?: (hash: HashValue) => Question;
  format?: string;
}

/** How many refusals are written in a minute, counted separately for requests with and without a valid token. */
const AUDITED_REFUSALS = { lines: 120, window: 60_000 };

const REFUSALS_OF_ACCESS: ReadonlySet<number> = new Set([401, 403, 429]);

export function responseAudit(app: FastifyInstance, audit: AuditLog): ResponseListener {
  const refusals = () =>
    new LogSampler(AUDITED_REFUSALS, (count) =>
      audit.record({ event: 'refusals_omitted', details: { count } }),
    );
  const samplers = { strangers: refusals(), known: refusals() };
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onClose', async () => {
    for (const sampler of Object.values(samplers)) sampler.endWindow();
  });
  return (request, reply) => {
    const event = eventOf(request, reply, isClosing, audit.hash);
    if (event === undefined) return;
    const sampler = request.principal === undefined ? samplers.strangers : samplers.known;
    if (request.problemCode !== undefined && !sampler.admits()) return;
    audit.record(event, actorOf(request));
  };
}

/** The event of a response; undefined if it is neither a report nor a refusal of access, such as a page. */
function eventOf(
  request: FastifyRequest,
  reply: FastifyReply,
  isClosing: boolean,
  hash: HashValue,
): AuditEvent | undefined {
  const { auditedReport: report, problemCode: code = null } = request;
  const status = reply.statusCode;
  if (report === undefined) {
    if (code === null || !REFUSALS_OF_ACCESS.has(status)) return undefined;
    const route = request.routeOptions.url ?? null;
    const via = isFromTool(request) ? { via: MCP } : {};
    return { event: 'access_refused', details: { route, status, code, ...via } };
  }
  const outcome = outcomeOf(request, reply, isClosing);
  const details = {
    question: report.question?.(hash) ?? null,
    format: report.format ?? null,
    outcome,
    status,
    code,
    rows: rowsOf(request, outcome),
    bytes: sentBytesOf(request, reply),
    ms: Math.round(reply.elapsedTime),
    ...(isFromTool(request) ? { via: MCP } : {}),
  };
  return { event: 'report', details };
}

function outcomeOf(
  request: FastifyRequest,
  { raw, statusCode }: FastifyReply,
  isClosing: boolean,
): ReportOutcome {
  if (request.problemCode !== undefined) return 'refused';
  if (statusCode === 304) return 'not_modified';
  if (raw.writableFinished) return 'complete';
  return wasCut(raw) || isClosing ? 'cut' : 'client_left';
}

/** The number of rows that were sent; null if they were not counted. */
function rowsOf({ method, sentRows }: FastifyRequest, outcome: ReportOutcome): number | null {
  const hasBody = method !== 'HEAD' && outcome !== 'refused' && outcome !== 'not_modified';
  return hasBody ? (sentRows ?? null) : 0;
}

/** Writes a change by a request to the audit log and flushes it at once: such events are rare and important. */

import type { FastifyRequest } from 'fastify';
import type { AuditEvent } from '../../audit/audit-events.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { actorOf } from './request-actor.ts';

export async function auditChange(
  request: FastifyRequest,
  audit: AuditLog,
  event: AuditEvent,
): Promise<void> {
  audit.record(event, actorOf(request));
  await audit.flush();
}

/** Writes to the audit log what a request has changed, at once: these events are rare and matter. */

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

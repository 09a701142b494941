/** Who sent a request, for the audit log. */

import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../audit/audit-line.ts';

export const actorOf = ({ principal, clientAddress, id }: FastifyRequest): Actor => ({
  principal: principal?.id ?? null,
  name: principal?.name ?? null,
  role: principal?.role ?? null,
  client: clientAddress,
  request_id: id,
});

/** The webhooks that a request may manage, and the audit log of what it does with them. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditLog } from '../../../audit/audit-log.ts';
import type { Principal } from '../../../auth/principal.ts';
import { isWithinRights } from '../../../auth/token-rights.ts';
import { Problem } from '../../../contract/problems/problems.ts';
import type { ManagedWebhook } from '../../../contract/webhooks/managed-webhook.ts';
import { AuditedWebhooks } from '../../../webhooks/operations/audited-webhooks.ts';
import { describedWebhook } from '../../../webhooks/operations/described-webhook.ts';
import type {
  WebhookManager,
  WebhookStatus,
} from '../../../webhooks/operations/webhook-operations.ts';
import {
  type AccessManagementDeps,
  authenticateManagement,
} from '../../guards/authenticate-management.ts';
import { auditChange } from '../../replies/audit-change.ts';

export interface WebhooksDeps extends AccessManagementDeps {
  readonly webhooks: WebhookManager;
  readonly audit: AuditLog;
  /** The time zone of the platform. */
  readonly timeZone: string;
}

interface Managed {
  readonly principal: Principal;
  /** Writes each change by this request to the audit log. */
  readonly webhooks: WebhookManager;
}

export async function authenticateWebhookManagement(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: WebhooksDeps,
): Promise<Managed> {
  const { principal } = await authenticateManagement(request, reply, deps);
  const webhooks = new AuditedWebhooks(deps.webhooks, {
    user: null,
    record: async (event) => await auditChange(request, deps.audit, event),
  });
  return { principal, webhooks };
}

export const visibleWebhooks = async ({ principal, webhooks }: Managed) =>
  (await webhooks.list()).filter(({ webhook }) => isWithinRights(principal, webhook));

/** A webhook beyond the rights of the principal counts as missing. */
export async function webhookWithId(id: string, managed: Managed): Promise<WebhookStatus> {
  const found = (await visibleWebhooks(managed)).find((one) => one.id === id);
  if (found === undefined) throw new Problem('webhook_not_found');
  return found;
}

/**
 * A webhook as the principal may see it. Paths and queries of URLs may contain secrets, such as the key of a
 * chat room, so only the token that has added a webhook sees them.
 */
export function managedWebhookFor({ principal }: Managed, status: WebhookStatus): ManagedWebhook {
  const described = describedWebhook(status);
  if (described.created_by === principal.id) return described;
  return { ...described, url: `${new URL(described.url).origin}/…` };
}

/** The webhook after a change. Another request may have removed it meanwhile. */
export async function changedWebhook(
  id: string,
  isFound: boolean,
  managed: Managed,
): Promise<ManagedWebhook> {
  if (!isFound) throw new Problem('webhook_not_found');
  return managedWebhookFor(managed, await webhookWithId(id, managed));
}

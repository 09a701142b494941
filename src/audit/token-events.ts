/** Audit events of access tokens. */

import type { TokenRecord } from '../auth/token-record.ts';
import type { AuditEvent } from './audit-events.ts';
import { auditedScope } from './audit-question.ts';

/** The user who ran the command; null if a request asked for it. */
export function tokenCreated(record: TokenRecord, user: string | null): AuditEvent {
  const { id, name, role, publisherIds, programIds, expiresAt, mayManageTokens } = record;
  const details = {
    user,
    token_id: id,
    token_name: name ?? null,
    token_role: role,
    publisher_ids: role === 'admin' ? 'all' : auditedScope(publisherIds),
    program_ids: programIds.length === 0 ? 'all' : auditedScope(programIds),
    may_manage_tokens: mayManageTokens,
    expires_at: expiresAt?.toISOString() ?? null,
  } as const;
  return { event: 'token_created', details };
}

export const tokenRevoked = (id: string, user: string | null): AuditEvent => ({
  event: 'token_revoked',
  details: { user, token_id: id },
});

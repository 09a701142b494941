/** Audit events of access tokens and sign-in links. */

import type { TokenRecord } from '../auth/token-record.ts';
import type { AuditEvent } from './audit-events.ts';
import { auditedScope } from './audit-question.ts';

/** `user` is the user of the operating system who ran the command; null if a request created the token. */
export const tokenCreated = (record: TokenRecord, user: string | null): AuditEvent => ({
  event: 'token_created',
  details: newTokenOf(record, user),
});

export const linkCreated = (record: TokenRecord, user: string | null): AuditEvent => ({
  event: 'link_created',
  details: {
    ...newTokenOf(record, user),
    link_expires_at: record.linkExpiresAt?.toISOString() ?? '',
  },
});

export const linkUsed = ({ id, name }: TokenRecord): AuditEvent => ({
  event: 'link_used',
  details: { token_id: id, token_name: name ?? null },
});

function newTokenOf(record: TokenRecord, user: string | null) {
  const { id, name, role, publisherIds, programIds, expiresAt, mayManageTokens } = record;
  return {
    user,
    token_id: id,
    token_name: name ?? null,
    token_role: role,
    publisher_ids: role === 'admin' ? 'all' : auditedScope(publisherIds),
    program_ids: programIds.length === 0 ? 'all' : auditedScope(programIds),
    may_manage_tokens: mayManageTokens,
    expires_at: expiresAt?.toISOString() ?? null,
  } as const;
}

export const tokenRevoked = (id: string, user: string | null): AuditEvent => ({
  event: 'token_revoked',
  details: { user, token_id: id },
});

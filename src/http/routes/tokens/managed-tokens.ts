/** The tokens and links that a request may manage, and their description in responses. */

import type { AuditLog } from '../../../audit/audit-log.ts';
import type { Principal } from '../../../auth/principal.ts';
import type { TokenRecord } from '../../../auth/token-record.ts';
import { isWithinRights } from '../../../auth/token-rights.ts';
import type { ManagedToken } from '../../../contract/tokens/managed-token.ts';
import type { AccessManagementDeps } from '../../guards/authenticate-management.ts';

export interface TokensDeps extends AccessManagementDeps {
  readonly audit: AuditLog;
}

/** Milliseconds. Expired tokens are listed for 30 days, so that users see which ones to replace. */
const SHOWN_AFTER_EXPIRY = 30 * 86_400_000;

export const isListed = (record: TokenRecord, principal: Principal, now: Date): boolean =>
  record.revokedAt === undefined &&
  (record.expiresAt === undefined ||
    record.expiresAt.getTime() > now.getTime() - SHOWN_AFTER_EXPIRY) &&
  isWithinRights(principal, record);

export const managedToken = (record: TokenRecord, { id }: Principal): ManagedToken => ({
  id: record.id,
  name: record.name ?? null,
  role: record.role,
  publisher_ids: record.role === 'admin' ? 'all' : record.publisherIds,
  program_ids: record.programIds.length === 0 ? 'all' : record.programIds,
  locale: record.locale ?? null,
  may_manage_tokens: record.mayManageTokens,
  is_current: record.id === id,
  created_by: record.createdBy ?? null,
  created_at: record.createdAt.toISOString(),
  expires_at: record.expiresAt?.toISOString() ?? null,
  link_expires_at: record.linkExpiresAt?.toISOString() ?? null,
});

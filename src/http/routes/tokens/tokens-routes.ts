/** `/api/admin/tokens`: lists, creates and revokes access tokens within the rights of the request's token. */

import type { FastifyInstance } from 'fastify';
import type { AuditLog } from '../../../audit/audit-log.ts';
import { tokenCreated, tokenRevoked } from '../../../audit/token-events.ts';
import type { Principal } from '../../../auth/principal.ts';
import type { TokenRecord } from '../../../auth/token-record.ts';
import { isWithinRights, newTokenWithin, refuseRevocation } from '../../../auth/token-rights.ts';
import type {
  ManagedToken,
  NewManagedToken,
  RevokedToken,
} from '../../../contract/tokens/managed-token.ts';
import { readTokenQuery } from '../../../contract/tokens/token-parameters.ts';
import {
  authenticateManagement,
  type ManagementDeps,
} from '../../guards/authenticate-management.ts';
import { METHODS } from '../../guards/method-guard.ts';
import { refuseParameters } from '../../guards/refuse-parameters.ts';
import { queryStringOf } from '../../query-string.ts';
import { auditChange } from '../../replies/audit-change.ts';

export interface TokensDeps extends ManagementDeps {
  readonly audit: AuditLog;
}

const URL = '/api/admin/tokens';

export function tokensRoutes(app: FastifyInstance, deps: TokensDeps): void {
  app.route({
    method: METHODS,
    url: URL,
    handler: async (request, reply): Promise<readonly ManagedToken[]> => {
      const { principal, records } = await authenticateManagement(request, reply, deps);
      refuseParameters(request);
      const now = new Date();
      return records
        .filter((record) => isListed(record, principal, now))
        .map((record) => managedToken(record, principal));
    },
  });
  app.post(URL, async (request, reply): Promise<NewManagedToken> => {
    const { principal } = await authenticateManagement(request, reply, deps);
    const newToken = newTokenWithin(principal, readTokenQuery(queryStringOf(request)), new Date());
    const { token, record } = await deps.tokens.createToken(newToken);
    await auditChange(request, deps.audit, tokenCreated(record, null));
    reply.code(201);
    return { token, ...managedToken(record, principal) };
  });
  app.delete<{ Params: { id: string } }>(`${URL}/:id`, async (request, reply) => {
    const { principal, records } = await authenticateManagement(request, reply, deps);
    refuseParameters(request);
    const { id } = request.params;
    refuseRevocation(
      principal,
      records.find((one) => one.id === id),
    );
    await deps.tokens.revokeToken(id);
    await auditChange(request, deps.audit, tokenRevoked(id, null));
    return { id, revoked: true } satisfies RevokedToken;
  });
}

/** Expired tokens are listed for a month, so that it is seen which ones to replace. */
const SHOWN_AFTER_EXPIRY = 30 * 86_400_000;

const isListed = (record: TokenRecord, principal: Principal, now: Date): boolean =>
  record.revokedAt === undefined &&
  (record.expiresAt === undefined ||
    record.expiresAt.getTime() > now.getTime() - SHOWN_AFTER_EXPIRY) &&
  isWithinRights(principal, record);

const managedToken = (record: TokenRecord, { id }: Principal): ManagedToken => ({
  id: record.id,
  name: record.name ?? null,
  role: record.role,
  publisher_ids: record.role === 'admin' ? 'all' : record.publisherIds,
  program_ids: record.programIds.length === 0 ? 'all' : record.programIds,
  locale: record.locale ?? null,
  may_manage_tokens: record.mayManageTokens,
  is_current: record.id === id,
  created_at: record.createdAt.toISOString(),
  expires_at: record.expiresAt?.toISOString() ?? null,
});

/** Authenticates a request that manages access: tokens or webhooks. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenStore } from '../../auth/new-token.ts';
import type { Principal } from '../../auth/principal.ts';
import { principalOf, type TokenRecord } from '../../auth/token-record.ts';
import { requireTokenManagement } from '../../auth/token-rights.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { appendHeader } from '../replies/append-header.ts';
import { type AuthenticationDeps, authenticateRequest } from './authenticate-request.ts';

export interface ManagementDeps extends AuthenticationDeps {
  readonly tokens: TokenStore;
}

interface Manager {
  readonly principal: Principal;
  /** All tokens of the service. */
  readonly records: readonly TokenRecord[];
}

/**
 * The principal of a request that may manage access. The token of the request is read again: the cache
 * accepts a revoked token for a few seconds, and a revoked token must not create others.
 */
export async function authenticateManagement(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ManagementDeps,
): Promise<Manager> {
  appendHeader(reply, 'vary', 'Authorization');
  const principal = await authenticateRequest(request, reply, deps);
  if (principal.role !== 'admin') {
    const hint = 'The token has the role affiliate: only an admin can manage tokens and webhooks.';
    throw new Problem('wrong_role', { hint });
  }
  requireTokenManagement(principal);
  const records = await deps.tokens.listTokens();
  // A replica may still list the sign-in link that was exchanged for the token, under the same id.
  const own = records.find(
    ({ id, linkExpiresAt }) => id === principal.id && linkExpiresAt === undefined,
  );
  return { principal: principalOf(own, new Date()), records };
}

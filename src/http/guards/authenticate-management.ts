/** Authenticates a request that manages access: tokens or webhooks. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenStore } from '../../auth/new-token.ts';
import type { Principal } from '../../auth/principal.ts';
import { principalOf, type TokenRecord } from '../../auth/token-record.ts';
import { requireTokenManagement } from '../../auth/token-rights.ts';
import { Problem } from '../../contract/problems/problems.ts';
import { appendHeader } from '../replies/append-header.ts';
import { type AuthenticationDeps, authenticateRequest } from './authenticate-request.ts';

export interface AccessManagementDeps extends AuthenticationDeps {
  readonly tokens: TokenStore;
}

interface Manager {
  readonly principal: Principal;
  /** All tokens of the service. */
  readonly records: readonly TokenRecord[];
}

/**
 * Returns the principal of a request that may manage access, and all tokens. Reads the token of the request
 * again. Otherwise a revoked token, which the cache accepts for a few seconds, could create new tokens.
 */
export async function authenticateManagement(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AccessManagementDeps,
): Promise<Manager> {
  appendHeader(reply, 'vary', 'Authorization');
  const principal = await authenticateRequest(request, reply, deps);
  if (principal.role !== 'admin') {
    const hint = 'The token has the role affiliate: only an admin can manage tokens and webhooks.';
    throw new Problem('wrong_role', { hint });
  }
  requireTokenManagement(principal);
  const records = await deps.tokens.listTokens();
  // A token from a sign-in link has the id of that link, which a replica may still list.
  const own = records.find(
    ({ id, linkExpiresAt }) => id === principal.id && linkExpiresAt === undefined,
  );
  return { principal: principalOf(own, new Date()), records };
}

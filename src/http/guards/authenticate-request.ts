/** Authenticates a request by its token and counts it against the principal's limit. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { couldContainToken } from '../../auth/access-token.ts';
import type { Authenticate } from '../../auth/authenticate.ts';
import type { Principal } from '../../auth/principal.ts';
import { Problem } from '../../contract/problems/problems.ts';
import type { Limits } from '../../limits/limits.ts';
import { isFromTool } from '../mcp/loopback-request.ts';
import { queryStringOf } from '../query-string.ts';
import { admitRequest } from './admission.ts';

const TOKEN_IN_URL =
  'A token in the URL is not used, because URLs end up in logs. Have this token revoked and replaced.';

export interface AuthenticationDeps {
  readonly authenticate: Authenticate;
  readonly limits: Limits;
}

/** Authenticates a request, then counts it. Counters have the principal as key, which attackers must not choose. */
export async function authenticateRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, limits }: AuthenticationDeps,
): Promise<Principal> {
  const authorization = authorizationOf(request);
  if (authorization === undefined && couldContainToken(queryStringOf(request))) {
    throw new Problem('token_missing', { hint: TOKEN_IN_URL });
  }
  const principal = await authenticate(authorization, request.clientAddress ?? '');
  request.principal = principal;
  // A tool's request is not counted: the request of its MCP client was.
  if (!isFromTool(request)) await admitRequest(reply, principal.id, limits);
  return principal;
}

/** Refuses repeated headers: Node reads the first one, but a proxy may have checked another. */
function authorizationOf({ raw }: FastifyRequest): string | undefined {
  const [authorization, ...others] = raw.headersDistinct.authorization ?? [];
  if (others.length > 0) throw new Problem('token_malformed');
  return authorization;
}

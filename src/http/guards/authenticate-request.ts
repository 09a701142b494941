/** Who sends a request: known by their token, and within their limits. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../../auth/authenticate.ts';
import type { Principal } from '../../auth/principal.ts';
import { Problem } from '../../contract/problems/problems.ts';
import type { Limits } from '../../limits/limits.ts';
import { admit } from './admission.ts';

export interface Admission {
  readonly authenticate: Authenticate;
  readonly limits: Limits;
}

/**
 * Every route that needs a token begins with this. Nothing is counted before the token is known to
 * be good, so no counter is kept under a key of an attacker's choice.
 */
export async function authenticateRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, limits }: Admission,
): Promise<Principal> {
  const principal = await authenticate(authorizationOf(request));
  request.principalId = principal.id;
  await admit(reply, principal.id, limits);
  return principal;
}

/** Node passes on the first of several headers; a proxy may have checked another one. */
function authorizationOf({ raw }: FastifyRequest): string | undefined {
  const [only, ...others] = raw.headersDistinct.authorization ?? [];
  if (others.length > 0) throw new Problem('token_malformed');
  return only;
}

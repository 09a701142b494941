/**
 * Signing in: `/api/admin/sign-in-links` creates links, and `/api/sign-in` exchanges their codes for tokens
 * and names the OpenID provider of the page.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { linkCreated, linkUsed } from '../../../audit/token-events.ts';
import type { SignInByCode } from '../../../auth/links/exchange-code.ts';
import type { SignInProvider } from '../../../auth/oidc/sign-in-provider.ts';
import { principalOf } from '../../../auth/token-record.ts';
import { newTokenWithin } from '../../../auth/token-rights.ts';
import { signInPath } from '../../../contract/tokens/sign-in-address.ts';
import type { NewSignInLink, SignIn } from '../../../contract/tokens/sign-in-link.ts';
import type { SignInOptions } from '../../../contract/tokens/sign-in-options.ts';
import { readNewTokenQuery } from '../../../contract/tokens/token-parameters.ts';
import { authenticateManagement } from '../../guards/authenticate-management.ts';
import { READ_METHODS } from '../../guards/method-guard.ts';
import { refuseParameters } from '../../guards/refuse-parameters.ts';
import { publicOriginOf } from '../../public-origin.ts';
import { queryStringOf } from '../../query-string.ts';
import { appendHeader } from '../../replies/append-header.ts';
import { auditChange } from '../../replies/audit-change.ts';
import { managedToken, type TokensDeps } from './managed-tokens.ts';

export interface SignInDeps extends TokensDeps {
  readonly signInByCode: SignInByCode;
  /** Undefined if users do not sign in through a provider. */
  readonly signInProvider?: SignInProvider | undefined;
  readonly basePath: string;
}

export function signInRoutes(app: FastifyInstance, deps: SignInDeps): void {
  app.post('/api/admin/sign-in-links', async (request, reply): Promise<NewSignInLink> => {
    const { principal } = await authenticateManagement(request, reply, deps);
    const newToken = newTokenWithin(
      principal,
      readNewTokenQuery(queryStringOf(request)),
      new Date(),
    );
    const { code, record } = await deps.tokens.createLink(newToken);
    await auditChange(request, deps.audit, linkCreated(record, null));
    reply.code(201);
    const url = `${publicOriginOf(request)}${deps.basePath}${signInPath(code)}`;
    return { url, ...managedToken(record, principal) };
  });
  app.route({
    method: READ_METHODS,
    url: '/api/sign-in',
    handler: async (request): Promise<SignInOptions> => {
      refuseParameters(request);
      return { provider: (await deps.signInProvider?.find()) ?? null };
    },
  });
  app.post('/api/sign-in', async (request, reply): Promise<SignIn> => {
    appendHeader(reply, 'vary', 'Authorization');
    refuseParameters(request);
    const { token, record } = await deps.signInByCode(
      authorizationOf(request),
      request.clientAddress ?? '',
    );
    request.principal = principalOf(record, new Date());
    await auditChange(request, deps.audit, linkUsed(record));
    return { token, expires_at: record.expiresAt?.toISOString() ?? null };
  });
}

/** Undefined if the header is repeated: Node reads the first one, but a proxy may have checked another. */
function authorizationOf({ raw }: FastifyRequest): string | undefined {
  const [authorization, ...others] = raw.headersDistinct.authorization ?? [];
  return others.length === 0 ? authorization : undefined;
}

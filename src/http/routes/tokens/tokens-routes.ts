/** `/api/admin/tokens`: lists, creates and revokes access tokens within the rights of the request's token. */

import type { FastifyInstance } from 'fastify';
import { tokenCreated, tokenRevoked } from '../../../audit/token-events.ts';
import { newTokenWithin, refuseRevocation } from '../../../auth/token-rights.ts';
import type {
  ManagedToken,
  NewManagedToken,
  RevokedToken,
} from '../../../contract/tokens/managed-token.ts';
import { readNewTokenQuery } from '../../../contract/tokens/token-parameters.ts';
import { authenticateManagement } from '../../guards/authenticate-management.ts';
import { READ_METHODS } from '../../guards/method-guard.ts';
import { refuseParameters } from '../../guards/refuse-parameters.ts';
import { queryStringOf } from '../../query-string.ts';
import { auditChange } from '../../replies/audit-change.ts';
import { isListed, managedToken, type TokensDeps } from './managed-tokens.ts';

const URL = '/api/admin/tokens';

export function tokensRoutes(app: FastifyInstance, deps: TokensDeps): void {
  app.route({
    method: READ_METHODS,
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
    const newToken = newTokenWithin(
      principal,
      readNewTokenQuery(queryStringOf(request)),
      new Date(),
    );
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

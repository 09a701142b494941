/** `GET /api/me`: the principal of the token and its limits. */

import type { FastifyInstance } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import type { Me } from '../../contract/record/me.ts';
import { type Limits, WINDOW_SECONDS } from '../../limits/limits.ts';
import { type AuthenticationDeps, authenticateRequest } from '../guards/authenticate-request.ts';
import { READ_METHODS } from '../guards/method-guard.ts';
import { refuseParameters } from '../guards/refuse-parameters.ts';
import { appendHeader } from '../replies/append-header.ts';

export interface MeDeps extends AuthenticationDeps {
  readonly timeZone: string;
  /** ISO 4217 code; undefined if it is not set. */
  readonly currency: string | undefined;
}

export function meRoute(app: FastifyInstance, deps: MeDeps): void {
  app.route({
    method: READ_METHODS,
    url: '/api/me',
    handler: async (request, reply): Promise<Me> => {
      appendHeader(reply, 'vary', 'Authorization');
      const principal = await authenticateRequest(request, reply, deps);
      refuseParameters(request);
      return {
        ...fieldsOf(principal),
        time_zone: deps.timeZone,
        currency: deps.currency ?? null,
        limits: await remainingOf(principal, deps.limits),
      };
    },
  });
}

const fieldsOf = ({
  name,
  role,
  publisherIds,
  programIds,
  locale,
  mayManageTokens,
  expiresAt,
}: Principal) => ({
  name: name ?? null,
  role,
  publisher_ids: publisherIds,
  program_ids: programIds,
  locale: locale ?? null,
  may_manage_tokens: mayManageTokens === true,
  expires_at: expiresAt?.toISOString() ?? null,
});

async function remainingOf({ id }: Principal, limits: Limits): Promise<Me['limits']> {
  const [requests, downloads] = await Promise.all([
    limits.requests?.remaining(id),
    limits.downloads?.remaining(id),
  ]);
  return {
    requests:
      requests === undefined
        ? null
        : {
            limit: requests.limit,
            remaining: requests.remaining,
            window_seconds: WINDOW_SECONDS,
            reset_seconds: requests.resetSeconds ?? 0,
          },
    downloads:
      downloads === undefined ? null : { limit: downloads.limit, remaining: downloads.remaining },
  };
}

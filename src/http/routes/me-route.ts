/** `GET /api/me`: what the service knows of whoever asks. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import { Problem } from '../../contract/problems/problems.ts';
import type { Me } from '../../contract/record/me.ts';
import { type Limits, WINDOW } from '../../limits/limits.ts';
import { type Admission, authenticateRequest } from '../guards/authenticate-request.ts';
import { queryStringOf } from '../query-string.ts';
import { appendHeader } from '../replies/append-header.ts';

export interface MeDeps extends Admission {
  readonly timeZone: string;
}

export function meRoute(app: FastifyInstance, source: MeDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/me',
    handler: async (request, reply): Promise<Me> => {
      appendHeader(reply, 'vary', 'Authorization');
      const principal = await authenticateRequest(request, reply, source);
      refuseParameters(request);
      return {
        ...factsOf(principal),
        time_zone: source.timeZone,
        limits: await leftTo(principal, source.limits),
      };
    },
  });
}

function refuseParameters(request: FastifyRequest): void {
  const names = new Set(new URLSearchParams(`?${queryStringOf(request)}`).keys());
  if (names.size === 0) return;
  const detail = 'There are no parameters here.';
  const faults = [...names].map((parameter) => ({ parameter, code: 'unknown', detail }) as const);
  throw new Problem('invalid_parameters', { faults });
}

const factsOf = ({ role, publisherIds, programIds, locale, expiresAt }: Principal) => ({
  role,
  publisher_ids: publisherIds,
  program_ids: programIds,
  locale: locale ?? null,
  expires_at: expiresAt?.toISOString() ?? null,
});

async function leftTo({ id }: Principal, limits: Limits): Promise<Me['limits']> {
  const [requests, downloads] = await Promise.all([
    limits.requests?.left(id),
    limits.downloads?.left(id),
  ]);
  return {
    requests:
      requests === undefined
        ? null
        : {
            limit: requests.limit,
            remaining: requests.remaining,
            window_seconds: WINDOW,
            reset_seconds: requests.resetSeconds ?? 0,
          },
    downloads:
      downloads === undefined ? null : { limit: downloads.limit, remaining: downloads.remaining },
  };
}

/** `GET /health/live` and `/health/ready`: whether the process runs, and whether the engine answers. */

import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import type { Reader } from '../../engine/engine.ts';
import { READ_METHODS } from '../guards/method-guard.ts';
import { readiness } from './readiness.ts';

export function healthRoutes(app: FastifyInstance, reader: Reader): void {
  const requireReady = readiness(reader);
  app.route({
    method: READ_METHODS,
    url: '/health/live',
    handler: async () => ({ status: 'live' }),
  });
  app.route({
    method: READ_METHODS,
    url: '/health/ready',
    handler: async () => {
      await requireReady().catch((cause: unknown) => {
        throw new Problem('database_unavailable', { cause });
      });
      return { status: 'ready' };
    },
  });
}

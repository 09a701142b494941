/** Whether the process lives, and whether it can answer. */

import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contract/problems/problems.ts';
import type { Reader } from '../../engine/engine.ts';
import { readiness } from './readiness.ts';

export function healthRoutes(app: FastifyInstance, reader: Reader): void {
  const method = ['GET', 'HEAD'];
  const requireReady = readiness(reader);
  app.route({ method, url: '/health/live', handler: async () => ({ status: 'live' }) });
  app.route({
    method,
    url: '/health/ready',
    handler: async () => {
      await requireReady().catch((cause: unknown) => {
        throw new Problem('database_unavailable', { cause });
      });
      return { status: 'ready' };
    },
  });
}

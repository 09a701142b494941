/** Whether the process lives, and whether it can answer. */

import type { FastifyInstance } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { raw, statementOf } from '../plan/sql.ts';
import type { Reader } from '../store/engine.ts';

const QUESTION = statementOf(raw('SELECT 1 AS answer'));

export function healthRoutes(app: FastifyInstance, reader: Reader): void {
  const method = ['GET', 'HEAD'];
  app.route({ method, url: '/health/live', handler: async () => ({ status: 'live' }) });
  app.route({
    method,
    url: '/health/ready',
    handler: async () => {
      await reader.rows(QUESTION).catch((cause: unknown) => {
        throw new Problem('database_unavailable', { cause });
      });
      return { status: 'ready' };
    },
  });
}

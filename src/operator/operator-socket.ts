/**
 * Lets other commands work on an embedded database while this process holds it.
 *
 * A Unix socket in the database's directory, open to its owner alone; nothing of it is reachable
 * over the network.
 */

import { chmod, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { ImportRefused } from '../ingest/import-refused.ts';
import { socketPath } from './database.ts';
import { importEvents } from './import-events.ts';
import type { ImportOrder, Operator } from './operator.ts';
import { readTokenOrder, tokenText } from './token-text.ts';

/** Serves the operator's work on the directory's socket until it is closed. */
export async function listenForOperators(
  directory: string,
  operator: Operator,
  logger: FastifyBaseLogger,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.post('/imports', async (request, reply) => {
    const leaving = new AbortController();
    reply.raw.once('close', () => leaving.abort());
    const events = importEvents(operator, request.body as ImportOrder, leaving.signal);
    return reply.type('application/x-ndjson').send(Readable.from(events));
  });
  app.post('/tokens', async (request) => {
    const { token, record } = await operator.createToken(readTokenOrder(request.body));
    return { token, record: tokenText(record) };
  });
  app.get('/tokens', async () => (await operator.listTokens()).map(tokenText));
  app.post<{ Params: { id: string } }>('/tokens/:id/revocation', async ({ params }) => ({
    found: await operator.revokeToken(params.id),
  }));
  app.setErrorHandler((error, _request, reply) => {
    const isRefusal = error instanceof ImportRefused;
    reply
      .code(isRefusal ? 422 : 500)
      .send({ message: error instanceof Error ? error.message : '' });
  });
  const path = socketPath(directory);
  await rm(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await app.listen({ path });
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
  return app;
}

/**
 * Lets other commands work on an embedded database while this process holds it.
 *
 * A Unix socket in the database's directory, open to its owner alone; nothing of it is reachable
 * over the network.
 */

import { chmod, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import * as v from 'valibot';
import { KINDS } from '../contract/record/kinds.ts';
import { VERSION } from '../contract/version.ts';
import { type Database, socketPath } from '../database/open-database.ts';
import { IMPORT_FILE } from '../ingest/files/import-file.ts';
import { readValue, UnexpectedJson } from '../read-json.ts';
import { UserError } from '../user-error.ts';
import { importEvents } from './import-events.ts';
import type { ImportCommand, Operator } from './operator.ts';
import { readTokenOrder, tokenJson } from './token-json.ts';

/** The system's limit for the path of a socket, in bytes, where it is least (macOS). */
const LONGEST_PATH = 103;

/** Bytes of an order: each of its files, of which there may be thousands, has its mapping with it. */
const LONGEST_ORDER = 256 * 1024 * 1024;

type ById = { Params: { id: string } };

/** Serves the operator's work on the directory's socket until it is closed, which aborts imports. */
export async function listenForOperators(
  directory: string,
  { timeZone }: Pick<Database, 'timeZone'>,
  operator: Operator,
  logger: FastifyBaseLogger,
): Promise<FastifyInstance> {
  const path = usablePath(directory);
  const app = Fastify({
    bodyLimit: LONGEST_ORDER,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  const imports = new Map<string, AbortController>();
  app.get('/database', async () => ({ time_zone: timeZone }));
  app.post<ById>('/imports/:id', async ({ params: { id }, body }, reply) => {
    const leaving = new AbortController();
    imports.set(id, leaving);
    reply.raw.once('close', () => {
      imports.delete(id);
      leaving.abort(new Error('Whoever ordered the import has left: nothing was imported.'));
    });
    const events = importEvents(operator, readImportCommand(body), leaving.signal);
    return reply.type('application/x-ndjson').send(Readable.from(events));
  });
  app.delete<ById>('/imports/:id', async ({ params: { id } }) => {
    imports.get(id)?.abort(new Error('Interrupted: nothing was imported.'));
    return { found: imports.has(id) };
  });
  app.post('/tokens', async (request) => {
    const { token, record } = await operator.createToken(readTokenOrder(request.body));
    return { token, record: tokenJson(record) };
  });
  app.get('/tokens', async () => (await operator.listTokens()).map(tokenJson));
  app.post<ById>('/tokens/:id/revocation', async ({ params }) => ({
    found: await operator.revokeToken(params.id),
  }));
  app.setErrorHandler((error, _request, reply) => {
    const message = error instanceof Error ? error.message : '';
    if (!(error instanceof UnexpectedJson)) return reply.code(500).send({ message });
    return reply.code(400).send({ message: `Version ${VERSION} does not know this: ${message}.` });
  });
  app.addHook('preClose', async () => {
    const reason = new Error('The server was stopped: nothing was imported. Import again.');
    for (const leaving of imports.values()) leaving.abort(reason);
  });
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

const IMPORT_COMMAND = v.strictObject({
  files: v.array(IMPORT_FILE),
  type: v.optional(v.picklist(KINDS)),
  round: v.boolean(),
  rejects: v.boolean(),
});

const readImportCommand = (body: unknown): ImportCommand => readValue(IMPORT_COMMAND, body);

function usablePath(directory: string): string {
  const path = socketPath(directory);
  if (Buffer.byteLength(path) <= LONGEST_PATH) return path;
  throw new UserError(
    `The path of the database's directory is too long for a socket in it: ${path} has more than ${LONGEST_PATH} bytes.`,
    'Choose a shorter one: --database chdb:/var/lib/transactions',
  );
}

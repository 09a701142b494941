/**
 * Control socket: lets other commands use an embedded database that this process has opened.
 *
 * It is a Unix socket in the database's directory, accessible to its owner only and not over the
 * network.
 */

import { chmod, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import * as v from 'valibot';
import { AUDIT_QUERY } from '../audit/read-audit.ts';
import { DIRECTORIES } from '../contract/record/directory.ts';
import { KINDS } from '../contract/record/kinds.ts';
import { VERSION } from '../contract/version.ts';
import { type Database, socketPath } from '../database/open-database.ts';
import { ERASURE_COMMAND } from '../erasure/selectors.ts';
import { IMPORT_FILE } from '../ingest/files/import-file.ts';
import { readValue, UnexpectedJson } from '../read-json.ts';
import { UserError } from '../user-error.ts';
import type { AuditReadingOperator } from './audited-operator.ts';
import { backupEvents, readBackupCommand } from './backup-events.ts';
import { importEvents } from './import-events.ts';
import { ImportAborted, type ImportCommand } from './operator.ts';
import { readRetentionCommand } from './removal-json.ts';
import { readSubject, subjectJson } from './subject-json.ts';
import { readNewToken, tokenJson } from './token-json.ts';
import { webhookControlRoutes } from './webhooks/webhook-routes.ts';

/** The maximum length of a socket's path on macOS, the system with the lowest limit. */
const MAX_PATH_BYTES = 103;

/** Large, because an import may have thousands of files, each with its mapping. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

type RunImport = Parameters<typeof importEvents>[0];

type ById = { Params: { id: string } };

/** Listens on the socket in the directory. Closing the server aborts running imports and backups. */
export async function listenForOperators(
  directory: string,
  { timeZone }: Pick<Database, 'timeZone'>,
  operator: AuditReadingOperator,
  logger: FastifyBaseLogger,
): Promise<FastifyInstance> {
  const path = checkedSocketPath(directory);
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  const imports = new Map<string, AbortController>();
  app.get('/database', async () => {
    const { addresses, lastImport, ...others } = await operator.databaseState();
    return { time_zone: timeZone, ip_addresses: addresses, last_import: lastImport, ...others };
  });
  app.get('/imports/failed', async () => ({ failed: await operator.failedImport() }));
  const follow = (id: string, reply: FastifyReply, run: RunImport) => {
    const leaving = new AbortController();
    imports.set(id, leaving);
    reply.raw.once('close', () => {
      imports.delete(id);
      leaving.abort(
        new Error('The command that started the import has ended: nothing was imported.'),
      );
    });
    const events = importEvents(run, leaving.signal);
    return reply.type('application/x-ndjson').send(Readable.from(events));
  };
  app.post<ById>('/imports/:id', async ({ params: { id }, body }, reply) => {
    const command = readImportCommand(body);
    return follow(id, reply, async (watch) => await operator.importFiles(command, watch));
  });
  app.post<ById>('/directory/imports/:id', async ({ params: { id }, body }, reply) => {
    const command = readValue(DIRECTORY_COMMAND, body);
    return follow(id, reply, async (watch) => await operator.importDirectory(command, watch));
  });
  app.get<{ Params: { of: string } }>('/directory/:of', async ({ params }, reply) => {
    const lines = operator.directoryLines(readValue(DIRECTORY_NAME, params.of));
    return reply.type('application/x-ndjson').send(await ndjsonOf(lines));
  });
  app.delete<ById>('/imports/:id', async ({ params: { id } }) => {
    imports.get(id)?.abort(new ImportAborted());
    return { found: imports.has(id) };
  });
  const backups = new Set<AbortController>();
  app.post('/backups', async ({ body }, reply) => {
    const leaving = new AbortController();
    backups.add(leaving);
    reply.raw.once('close', () => {
      backups.delete(leaving);
      leaving.abort(new Error('The command that started the backup has ended.'));
    });
    const events = backupEvents(operator, readBackupCommand(body), leaving.signal);
    return reply.type('application/x-ndjson').send(Readable.from(events));
  });
  app.post('/erasures/preview', async ({ body }) =>
    operator.previewErasure(readValue(ERASURE_COMMAND, body)),
  );
  // An erasure is completed even if the command that requested it ends.
  app.post('/erasures', async ({ body }) => operator.erase(readValue(ERASURE_COMMAND, body)));
  app.post('/tokens', async (request) => {
    const { token, record } = await operator.createToken(readNewToken(request.body));
    return { token, record: tokenJson(record) };
  });
  app.post('/links', async (request) => {
    const { code, record } = await operator.createLink(readNewToken(request.body));
    return { code, record: tokenJson(record) };
  });
  app.get('/tokens', async () => (await operator.listTokens()).map(tokenJson));
  app.post<ById>('/tokens/:id/revocation', async ({ params }) => ({
    found: await operator.revokeToken(params.id),
  }));
  app.get('/subjects', async () => (await operator.listBlockedSubjects()).map(subjectJson));
  app.post('/subjects/blocking', async ({ body }) => {
    await operator.blockSubject(readSubject(body));
    return {};
  });
  app.post('/subjects/unblocking', async ({ body }) => ({
    found: await operator.unblockSubject(readSubject(body)),
  }));
  webhookControlRoutes(app, operator.webhooks);
  app.post('/audit', async (request, reply) => {
    const lines = operator.auditLines(readValue(AUDIT_QUERY, request.body));
    return reply.type('application/x-ndjson').send(await ndjsonOf(lines));
  });
  app.post('/retention', async ({ body }) => {
    const report = await operator.retain(readRetentionCommand(body));
    logger.info(report, 'retention');
    return report;
  });
  app.setErrorHandler((error, _request, reply) => {
    const message = error instanceof Error ? error.message : '';
    const next = error instanceof UserError ? error.next : undefined;
    if (!(error instanceof UnexpectedJson)) return reply.code(500).send({ message, next });
    return reply
      .code(400)
      .send({ message: `Version ${VERSION} does not understand this request: ${message}.` });
  });
  app.addHook('preClose', async () => {
    const reason = new Error('The server was stopped: nothing was imported. Import again.');
    for (const leaving of imports.values()) leaving.abort(reason);
    for (const leaving of backups) leaving.abort(new Error('The server was stopped.'));
  });
  await rm(path, { force: true });
  // Not 0o177: the mask applies to directories too, which threads of the engine may create meanwhile.
  const mask = process.umask(0o077);
  try {
    await app.listen({ path });
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
  return app;
}

/** Waits for the first line, so that a failure before it becomes an error response. */
async function ndjsonOf(lines: AsyncIterable<string>): Promise<Readable> {
  const iterator = lines[Symbol.asyncIterator]();
  let next = await iterator.next();
  return Readable.from(
    (async function* rest() {
      for (; !next.done; next = await iterator.next()) yield `${next.value}\n`;
    })(),
  );
}

const IMPORT_COMMAND = v.strictObject({
  files: v.array(IMPORT_FILE),
  type: v.optional(v.picklist(KINDS)),
  round: v.boolean(),
  rejects: v.boolean(),
});

const DIRECTORY_NAME = v.picklist(DIRECTORIES);

const DIRECTORY_COMMAND = v.strictObject({
  of: DIRECTORY_NAME,
  files: v.array(IMPORT_FILE),
  replace: v.boolean(),
});

const readImportCommand = (body: unknown): ImportCommand => readValue(IMPORT_COMMAND, body);

function checkedSocketPath(directory: string): string {
  const path = socketPath(directory);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  throw new UserError(
    `The path of the database's directory is too long for a socket in it: ${path} has more than ${MAX_PATH_BYTES} bytes.`,
    'Choose a shorter one: --database chdb:/var/lib/transactions',
  );
}

/** Serves the reports of a database until it is told to stop. */

import type { AddressInfo } from 'node:net';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { authenticator } from '../../auth/authenticate.ts';
import { oidcVerifier } from '../../auth/oidc.ts';
import { remembered } from '../../auth/token-cache.ts';
import { throttleUnknownTokens } from '../../auth/unknown-token-throttle.ts';
import { listenForOperators } from '../../control/control-socket.ts';
import { LocalOperator } from '../../control/local-operator.ts';
import { type Database, exportDirectory, openDatabase } from '../../database/open-database.ts';
import { DirectoryInUse } from '../../engine/chdb/open-chdb.ts';
import { buildServer } from '../../http/server.ts';
import { type OpenLimits, openLimits } from '../../limits/open-limits.ts';
import { readerOf } from '../../reading/import-barrier.ts';
import { findToken } from '../../store/token-table.ts';
import { UserError } from '../../user-error.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import type { Settings } from '../inputs/settings.ts';
import { createLogger } from '../output/log.ts';

/** A running service. */
export interface Service {
  readonly url: string;
  close(): Promise<void>;
}

export async function serve(settings: Settings): Promise<Service> {
  const logger = createLogger(settings.logLevel);
  const database = await openToServe(settings);
  const service = await start(settings, database, logger).catch(async (error: unknown) => {
    await database.engine.close();
    throw error;
  });
  logger.info({ url: service.url, time_zone: database.timeZone }, 'serving');
  // A little more than the downloads have, so that everything can be put away.
  closeWithGrace({ delay: (settings.shutdownGrace + 5) * 1000 }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'failed');
    else logger.info({ signal, grace_seconds: settings.shutdownGrace }, 'shutting down');
    await service.close();
  });
  return service;
}

async function openToServe(settings: Settings): Promise<Database> {
  try {
    return await openDatabase(await databaseSettings(settings));
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new UserError(
      `${error.message} The embedded database belongs to one process at a time.`,
      'Stop the other process, or serve another database: --database chdb:./other',
      { cause: error },
    );
  }
}

async function start(settings: Settings, database: Database, logger: Logger): Promise<Service> {
  const limits = openLimits(settings, logger, database.cursorKey);
  try {
    return await startWithin(limits, settings, database, logger);
  } catch (error) {
    limits.close();
    throw error;
  }
}

async function startWithin(
  limits: OpenLimits,
  settings: Settings,
  database: Database,
  logger: Logger,
): Promise<Service> {
  const { engine, timeZone, cursorKey, topology } = database;
  const operator = new LocalOperator(database);
  const server = buildServer({
    reader: readerOf(engine, topology),
    authenticate: authenticator({
      findToken: remembered(throttleUnknownTokens((hash) => findToken(engine, hash))),
      verifyJwt: verifierOf(settings),
    }),
    limits,
    corsOrigins: settings.corsOrigins,
    timeZone,
    cursorKey,
    outgoing: database.directory && exportDirectory(database.directory),
    stallTimeout: settings.stallTimeout * 1000,
    logger,
    basePath: settings.basePath,
  });
  // A server's database needs no desk: other commands reach it by themselves.
  const desk =
    database.directory === undefined
      ? undefined
      : await listenForOperators(database.directory, database, operator, logger);
  const close = async () => {
    // An import can be repeated, so it is stopped at once; downloads have their time.
    await Promise.all([desk?.close(), closeWithin(server, settings.shutdownGrace)]);
    limits.close();
    await operator.close();
  };
  await listen(server, settings).catch(async (error: unknown) => {
    await desk?.close();
    throw error;
  });
  return { url: urlOf(server, settings), close };
}

/** What to do where it is not the port that is wrong. */
const OTHER_HOST = 'Name an address of this machine: --host 127.0.0.1, or 0.0.0.0 for all of them';
const MENDING: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: OTHER_HOST,
  ENOTFOUND: OTHER_HOST,
  EAI_AGAIN: OTHER_HOST,
};

async function listen(server: FastifyInstance, { host, port }: Settings): Promise<void> {
  await server.listen({ host, port }).catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(
      `Cannot listen on ${host}, port ${port}: ${cause.code}.`,
      MENDING[cause.code ?? ''] ?? 'Choose another port: --port 3001',
      { cause },
    );
  });
}

/** Lets running answers end for so many seconds, then cuts those that are left. */
async function closeWithin(server: FastifyInstance, seconds: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), seconds * 1000);
  await server.close();
  clearTimeout(cut);
}

function urlOf(server: FastifyInstance, { host, basePath }: Settings): string {
  const { port } = server.server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}${basePath}`;
}

function verifierOf(settings: Settings) {
  const { oidcIssuer, oidcAudience, oidcRoleClaim, oidcPublishersClaim, oidcProgramsClaim } =
    settings;
  if (oidcIssuer === undefined || oidcAudience === undefined) return undefined;
  return oidcVerifier({
    issuer: oidcIssuer,
    audience: oidcAudience,
    roleClaim: oidcRoleClaim,
    publishersClaim: oidcPublishersClaim,
    programsClaim: oidcProgramsClaim,
  });
}

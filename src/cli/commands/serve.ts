/** `transactions serve`: serves a database over HTTP until the process gets a signal to stop. */

import closeWithGrace from 'close-with-grace';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type App, openApp } from '../../app.ts';
import type { OidcSettings } from '../../auth/oidc/oidc.ts';
import type { SignInClientSettings } from '../../auth/oidc/sign-in-provider.ts';
import { addressVisibilityText } from '../../contract/record/address-visibility.ts';
import { VERSION } from '../../contract/version.ts';
import { startRetention } from '../../control/daily-retention.ts';
import { type Database, openDatabase } from '../../database/open-database.ts';
import { DatabaseInUse } from '../../engine/chdb/open-chdb.ts';
import { damageNotice, embeddedDamage } from '../../engine/damaged-parts.ts';
import { favorMainThread } from '../../engine/thread-priority.ts';
import { PAGE_THREAD } from '../../months/thread/page-thread.ts';
// A running service executes the imports of other commands. Their modules are loaded at its start, because an
// update may replace the files before the first import.
import '../../ingest/directory/import-directory.ts';
import '../../ingest/import-files.ts';
import { UserError } from '../../user-error.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import type { ListenAddress } from '../inputs/network-addresses.ts';
import { newZoneNotice } from '../inputs/new-time-zone.ts';
import type { Settings } from '../inputs/settings.ts';
import { shownSettings } from '../inputs/shown-settings.ts';
import { createLogger } from '../output/create-logger.ts';
import {
  HOW_TO_FINISH,
  ipAddressNotice,
  unfinishedChangeText,
} from '../output/ip-address-notice.ts';
import { shownHost } from '../output/page-address.ts';

/** Seconds to close the database after the grace period of the downloads. */
const CLOSING_TIME = 5;

/** Returns the URL of the service once it listens. */
export async function serve(settings: Settings): Promise<string> {
  const { logger, close: closeLog } = createLogger(settings.logLevel);
  const zoneNotice = newZoneNotice(settings);
  if (zoneNotice !== undefined) logger.info(zoneNotice);
  const database = await openToServe(settings);
  await favorMainThread([PAGE_THREAD]);
  const app = await startApp(database, settings, logger).catch(async (error: unknown) => {
    await database.engine.close();
    throw error;
  });
  await listenAll(app, settings, logger).catch(async (error: unknown) => {
    await app.close(0);
    throw error;
  });
  const { shutdownGrace, retention } = settings;
  const stopRetention = retention && startRetention(app.auditedOperator, retention, logger);
  closeWithGrace({ delay: (shutdownGrace + CLOSING_TIME) * 1000 }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'failed');
    else logger.info({ signal, grace_seconds: shutdownGrace }, 'shutting down');
    stopRetention?.();
    app.audit.record({ event: 'service_stopped', details: {} });
    await app.close(shutdownGrace * 1000).finally(closeLog);
  });
  app.audit.record({ event: 'service_started', details: startDetails(database, settings) });
  // Logged last: a program that waits for this line may send a signal at once.
  const url = `${urlOf(app.server, settings)}${settings.basePath}`;
  logger.info({ url, time_zone: database.timeZone }, 'serving');
  return url;
}

/** If IP_ADDRESSES is not set, what the database has stored applies. */
function startDetails({ addresses }: Database, settings: Settings) {
  const IP_ADDRESSES = addressVisibilityText(addresses.visibility);
  return { version: VERSION, settings: { ...shownSettings(settings), IP_ADDRESSES } };
}

async function startApp(database: Database, settings: Settings, logger: FastifyBaseLogger) {
  const { visibility, isPending } = database.addresses;
  if (isPending) throw new UserError(unfinishedChangeText(visibility), HOW_TO_FINISH);
  const notice = ipAddressNotice(database.addresses);
  if (notice !== undefined) logger.info(notice);
  const damage = damageNotice(await embeddedDamage(database.engine));
  if (damage !== undefined) logger.warn(damage);
  return await openApp(
    database,
    { ...settings, oidc: oidcOf(settings), signIn: signInOf(settings) },
    logger,
  );
}

async function openToServe(settings: Settings): Promise<Database> {
  try {
    return await openDatabase(await databaseSettings(settings));
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    throw new UserError(
      `${error.message} The embedded database belongs to one process at a time.`,
      'Stop the other process, or serve another database: --database chdb:./other',
      { cause: error },
    );
  }
}

const OTHER_HOST = 'Name an address of this machine: --host 127.0.0.1, or 0.0.0.0 for all of them';
const HINT_OF_ERROR: ReadonlyMap<unknown, string> = new Map([
  ['EADDRNOTAVAIL', OTHER_HOST],
  ['ENOTFOUND', OTHER_HOST],
  ['EAI_AGAIN', OTHER_HOST],
]);

async function listenAll(
  { server, monitoringServer }: App,
  settings: Settings,
  logger: FastifyBaseLogger,
): Promise<void> {
  await listen(server, settings, `--port ${portAfter(settings.port)}`);
  const { adminAddress } = settings;
  if (adminAddress === undefined) return;
  const other = `${shownHost(adminAddress.host)}:${portAfter(adminAddress.port)}`;
  await listen(monitoringServer, adminAddress, `ADMIN_ADDRESS=${other}`);
  logger.info({ metrics: `${urlOf(monitoringServer, adminAddress)}/metrics` }, 'serving metrics');
}

/** The port that errors suggest: the next one, which is often free. */
const portAfter = (port: number): number => (port < 65_535 ? port + 1 : 3001);

async function listen(
  server: FastifyInstance,
  { host, port }: ListenAddress,
  otherPort: string,
): Promise<void> {
  await server.listen({ host, port }).catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(
      `Cannot listen on ${host}, port ${port}: ${cause.code}.`,
      HINT_OF_ERROR.get(cause.code) ?? `Choose another port: ${otherPort}`,
      { cause },
    );
  });
}

function urlOf(server: FastifyInstance, { host }: ListenAddress): string {
  const [address] = server.addresses();
  const port = typeof address === 'object' ? address.port : '';
  return `http://${shownHost(host)}:${port}`;
}

function signInOf(settings: Settings): SignInClientSettings | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcClientId: clientId } = settings;
  if (issuer === undefined || audience === undefined || clientId === undefined) return undefined;
  const { oidcScope: scope, oidcAudienceParameter: audienceParameter } = settings;
  return { issuer, clientId, scope, audience, audienceParameter };
}

function oidcOf(settings: Settings): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcAudience: audience } = settings;
  if (issuer === undefined || audience === undefined) return undefined;
  return {
    issuer,
    audience,
    maxLifetime: settings.oidcMaxLifetime,
    roleClaim: settings.oidcRoleClaim,
    publishersClaim: settings.oidcPublishersClaim,
    programsClaim: settings.oidcProgramsClaim,
  };
}

/** Composition root: puts the service together from an open database and its settings, for `serve` and for tests. */

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { AppParts, ReplaceParts } from './app-parts.ts';
import type { AppSettings } from './app-settings.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { checkAuditFile, openAuditLog } from './audit/open-audit-log.ts';
import { AccessWatch } from './auth/access-watch.ts';
import { AttemptBudget, delayRefusal } from './auth/attempt-budget.ts';
import { authenticator } from './auth/authenticate.ts';
import { signInByCode } from './auth/links/exchange-code.ts';
import { SignInProvider } from './auth/oidc/sign-in-provider.ts';
import { refuseBlocked } from './auth/refuse-blocked.ts';
import { AuditedOperator, type AuditReadingOperator } from './control/audited-operator.ts';
import { listenForOperators } from './control/control-socket.ts';
import { LocalOperator } from './control/local-operator.ts';
import { type Database, exportDirectory } from './database/open-database.ts';
import { DiskQuota } from './disk/disk-quota.ts';
import { ExportFiles } from './disk/export-files.ts';
import { KEPT_FOR, KeptFiles } from './disk/kept-files.ts';
import { closeWithin } from './http/sending/graceful-shutdown.ts';
import { buildServer, type ServerDeps } from './http/server.ts';
import { openLimits } from './limits/open-limits.ts';
import { Metrics } from './metrics/metrics.ts';
import { meteredMonthCache } from './monitoring/metered-month-cache.ts';
import { MeteredOperator } from './monitoring/metered-operator.ts';
import { meteredTokenLookup } from './monitoring/metered-token-lookup.ts';
import { openMonitoringServer } from './monitoring/open-monitoring-server.ts';
import { type MonthCache, openMonthCache } from './months/month-cache.ts';
import { openFeed } from './reading/changes/open-feed.ts';
import { databaseReader } from './reading/import-barrier.ts';
import { TableVersions } from './reading/table-versions.ts';
import { blockedSubjects, revokedPrincipals } from './store/blocked-subjects.ts';
import { databaseTokens, linkExchanger } from './store/database-tokens.ts';
import { tagKeyOf } from './store/secret-keys.ts';
import { DELIVERY_DELAYS } from './webhooks/delivery-delays.ts';
import { openDispatcher } from './webhooks/open-dispatcher.ts';
import { LocalWebhooks } from './webhooks/operations/local-webhooks.ts';

export interface App {
  readonly server: FastifyInstance;
  /** Serves metrics. It has an address of its own. */
  readonly monitoringServer: FastifyInstance;
  readonly operator: LocalOperator;
  /** Calls `operator`, counts metrics and writes lines to the audit log. */
  readonly auditedOperator: AuditReadingOperator;
  readonly audit: AuditLog;
  /** Undefined if there is no cache, so that the engine answers every request. */
  readonly monthCache: MonthCache | undefined;
  /** Gives downloads `graceMs` milliseconds to finish, then closes everything, including the database. */
  close(graceMs: number): Promise<void>;
}

/** Opens everything except the two HTTP ports. If it fails, the database stays open. */
export async function openApp(
  database: Database,
  settings: AppSettings,
  logger: FastifyBaseLogger,
  replaceParts: ReplaceParts = (parts) => parts,
): Promise<App> {
  await checkAuditFile(settings);
  const audit = await openAuditLog(database, settings, logger);
  const webhooks = new LocalWebhooks(database);
  const parts = replaceParts({
    ...(await partsOf(database, settings, logger, audit.log)),
    webhooks,
  });
  const monthCache = openMonthCache(parts.reader, parts.memoryCache, (err) =>
    logger.warn({ err }, 'the thread that writes pages has failed and starts again in a minute'),
  );
  const keptFiles: ServerDeps['keptFiles'] = new KeptFiles(parts.keepFilesFor);
  const feed = openFeed(parts.reader);
  const dispatcher = openDispatcher(database, { ...parts, ...feed });
  webhooks.whenChanged(async () => await dispatcher.refresh());
  const onErased = () => {
    monthCache?.forget();
    void keptFiles.clear();
  };
  // Reads ahead, so that the first response after an import does not wait for these two reads.
  const onImported = () => {
    monthCache?.refresh();
    void feed.publications.head().catch(() => undefined);
  };
  const operator = new LocalOperator(database, { onErased, onImported }, webhooks, parts.tokens);
  const server = serverOf(parts, monthCache, feed, keptFiles);
  server.addHook('onReady', async () => dispatcher.start());
  const monitoringServer = openMonitoringServer(database, { ...parts, webhooks: dispatcher });
  const audited = new AuditedOperator(new MeteredOperator(operator, parts.metrics), {
    database,
    log: audit.log,
    closeLog: audit.close,
  });
  const { directory } = database;
  // A database without a directory is on a server. Other commands connect to the server, so they need no socket.
  const controlSocket =
    directory === undefined
      ? undefined
      : await listenForOperators(directory, database, audited, logger).catch(async (error) => {
          await Promise.all([server.close(), audit.close()]);
          throw error;
        });
  return {
    server,
    monitoringServer,
    operator,
    auditedOperator: audited,
    audit: audit.log,
    monthCache,
    async close(graceMs) {
      // Closing the control socket aborts running imports at once, because an import can be repeated.
      await Promise.all([
        controlSocket && closeWithin(controlSocket, graceMs),
        dispatcher.close(graceMs),
        closeWithin(server, graceMs),
      ]);
      await monitoringServer.close();
      await operator.close(audit.close);
    },
  };
}

async function partsOf(
  database: Database,
  settings: AppSettings,
  logger: FastifyBaseLogger,
  audit: AuditLog,
): Promise<Omit<AppParts, 'webhooks'>> {
  const { engine, topology, timeZone, keys, directory } = database;
  const metrics = new Metrics();
  const newBudget = () => new AttemptBudget(settings.invalidTokensPerMinute, delayRefusal);
  const { oidc, corsOrigins, trustedProxies, basePath } = settings;
  // Loaded only if it is used, because the library for JSON Web Tokens takes 40 ms to load.
  const verifyJwt = oidc && (await import('./auth/oidc/oidc.ts')).oidcVerifier(oidc);
  return {
    reader: databaseReader(engine, topology),
    findToken: await meteredTokenLookup(engine, newBudget(), metrics),
    tokens: databaseTokens(database),
    deliveryDelays: DELIVERY_DELAYS,
    signInProvider: settings.signIn && new SignInProvider(settings.signIn),
    signInByCode: signInByCode(linkExchanger(database), newBudget()),
    verifyJwt: verifyJwt && refuseBlocked(verifyJwt, async () => await blockedSubjects(engine)),
    accessWatch: new AccessWatch({
      findRevoked: async (ids) => await revokedPrincipals(engine, ids),
      tokenVersion: () => engine.versions?.tokensAndValues,
      longestDownload: settings.downloadLifetime * 1000,
    }),
    metrics,
    limits: openLimits(settings, logger, keys.cursors),
    corsOrigins,
    trustedProxies,
    timeZone,
    currency: settings.currency,
    publicUrl: settings.publicUrl,
    cursorKey: keys.cursors,
    tagKey: await tagKeyOf(engine, keys),
    exportDirectory: directory && exportDirectory(directory),
    diskQuota: settings.diskQuota,
    keepFilesFor: KEPT_FOR,
    stallTimeout: settings.stallTimeout * 1000,
    memoryCache: settings.memoryCache,
    logger,
    audit,
    connectionLimits: settings,
    basePath,
  };
}

/** Builds the server. It starts its caches when it is ready, and ends them when it closes. */
export function serverOf(
  parts: AppParts,
  monthCache?: MonthCache,
  feed = openFeed(parts.reader),
  keptFiles: ServerDeps['keptFiles'] = new KeptFiles(parts.keepFilesFor),
): FastifyInstance {
  const { reader, limits, metrics } = parts;
  const quota = new DiskQuota(parts.diskQuota);
  const exportFiles = new ExportFiles(parts.exportDirectory, undefined, quota);
  const server = buildServer({
    ...parts,
    authenticate: authenticator(parts),
    monthCache: monthCache && meteredMonthCache(monthCache, metrics),
    tableVersions: monthCache?.versions ?? new TableVersions(reader),
    ...feed,
    exportFiles,
    keptFiles,
    onResumption: (reason) => metrics.count('transactions_resumptions_total', { reason }),
  });
  server.addHook('onReady', async () => {
    await exportFiles.clear();
    monthCache?.start();
    parts.signInProvider?.start();
  });
  server.addHook('onClose', async () => {
    limits.close();
    await monthCache?.close();
    await keptFiles.clear();
    await exportFiles.close();
  });
  return server;
}

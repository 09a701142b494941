/** A real service in this process, for tests over HTTP; on the embedded engine by default. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { openApp } from '../../../src/app.ts';
import type { ReplaceParts } from '../../../src/app-parts.ts';
import type { AppSettings } from '../../../src/app-settings.ts';
import type { AuditLog } from '../../../src/audit/audit-log.ts';
import type { VerifyJwt } from '../../../src/auth/authenticate.ts';
import type { NewToken } from '../../../src/auth/new-token.ts';
import type { AddressVisibility } from '../../../src/contract/record/address-visibility.ts';
import type { Kind } from '../../../src/contract/record/kinds.ts';
import type { Locale } from '../../../src/contract/record/labels.ts';
import type { AuditReadingOperator } from '../../../src/control/audited-operator.ts';
import type { LocalOperator } from '../../../src/control/local-operator.ts';
import { migrateDatabase } from '../../../src/database/migrate-database.ts';
import { type Database, openDatabase } from '../../../src/database/open-database.ts';
import type { ImportReport } from '../../../src/ingest/import-report.ts';
import type { MonthCache } from '../../../src/months/month-cache.ts';
import type { newDatabase } from '../databases/copied-database.ts';
import { openStore, type Store } from '../databases/stores.ts';
import type { StoreKind } from '../databases/tested-stores.ts';
import { registerClose } from '../run/left-open.ts';
import { checkedResponse, registerService, unregisterService } from './conformance.ts';

export interface TestService {
  readonly url: string;
  readonly store: Store;
  readonly database: Database;
  readonly operator: LocalOperator;
  /** Like `operator`, but with metrics and lines in the audit log. */
  readonly auditedOperator: AuditReadingOperator;
  readonly audit: AuditLog;
  readonly server: FastifyInstance;
  readonly monthCache: MonthCache | undefined;
  /** Serves metrics; it does not listen. */
  readonly monitoringServer: FastifyInstance;
  /** Everything that the server logged, as JSON lines. */
  readonly log: readonly string[];
  /** Imports the text of a file; fails the test if a row is refused. */
  importText(text: string, type?: Kind): Promise<ImportReport>;
  token(order: Partial<NewToken>): Promise<string>;
  get(path: string, token?: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  readonly store?: StoreKind;
  readonly timeZone?: string;
  /** What each role sees of IP addresses; all by default. */
  readonly addresses?: AddressVisibility;
  /** Creates the embedded database; one with empty tables by default. */
  readonly makeEmbedded?: typeof newDatabase;
  readonly basePath?: string;
  /** The address to listen on. */
  readonly host?: string;
  readonly settings?: Partial<AppSettings>;
  readonly verifyJwt?: VerifyJwt;
  /** Networks that webhooks may be delivered to; none by default. */
  readonly webhookNetworks?: readonly string[];
  /** Replaces parts of the server, for example the engine by one that fails. */
  readonly parts?: ReplaceParts;
}

/** Without limits, so that only the tests of limits meet them. */
const SETTINGS: AppSettings = {
  basePath: '',
  corsOrigins: [],
  trustedProxies: [],
  maxConnections: 8192,
  requestsPerConnection: 0,
  pipelinedRequests: 16,
  headersTimeout: 60,
  idleTimeout: 72,
  stallTimeout: 300,
  invalidTokensPerMinute: 0,
  downloadLifetime: 0,
  requestsPerMinute: 0,
  concurrentDownloads: 0,
  diskQuota: 0,
  memoryCache: 64 * 1024 * 1024,
  redisUrl: undefined,
  auditLog: undefined,
  auditRetention: 13,
};

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-'));
  const timeZone = options.timeZone ?? 'Europe/Paris';
  const store = await openStore(
    options.store ?? 'embedded',
    directory,
    timeZone,
    options.makeEmbedded,
  );
  const { addresses, webhookNetworks } = options;
  if (addresses !== undefined) await migrateDatabase({ url: store.url, timeZone, addresses });
  const database = await openDatabase({ url: store.url, timeZone, addresses, webhookNetworks });
  const log: string[] = [];
  const {
    basePath = '',
    host = '127.0.0.1',
    verifyJwt,
    parts: replaceParts = (parts) => parts,
  } = options;
  const app = await openApp(
    database,
    { ...SETTINGS, ...options.settings, basePath },
    pino({ level: 'debug' }, { write: (line) => void log.push(line) }),
    (parts) => replaceParts(verifyJwt === undefined ? parts : { ...parts, verifyJwt }),
  );
  const { operator, auditedOperator, audit, server, monthCache, monitoringServer } = app;
  const url = await server.listen({ host, port: 0 });
  registerService(url, basePath);
  let files = 0;
  return {
    url,
    store,
    database,
    operator,
    auditedOperator,
    audit,
    server,
    monthCache,
    monitoringServer,
    log,
    async importText(text, type) {
      files += 1;
      const path = join(directory, `import-${files}`);
      await writeFile(path, text);
      const order = {
        files: [{ path, name: `file ${files}` }],
        type,
        round: false,
        rejects: false,
      };
      const report = await operator.importFiles(order, {});
      if (report.rejected > 0) throw new Error(JSON.stringify(report.faults));
      await monthCache?.settled();
      return report;
    },
    async token(order) {
      const { token } = await operator.createToken({
        role: 'admin',
        publisherIds: [],
        programIds: [],
        locale: 'fr' satisfies Locale,
        ...order,
      });
      return token;
    },
    async get(path, token, headers = {}) {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(url + path, { headers: { ...authorization, ...headers } });
      return checkedResponse(url, path, response);
    },
    close: registerClose(async () => {
      unregisterService(url);
      await app.close(0);
      await store.close();
      await rm(directory, { recursive: true, force: true });
    }),
  };
}

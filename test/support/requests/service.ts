/** A real service in this process, for tests through HTTP; on the embedded engine unless they say otherwise. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { authenticator } from '../../../src/auth/authenticate.ts';
import type { Principal } from '../../../src/auth/principal.ts';
import { remembered } from '../../../src/auth/token-cache.ts';
import { throttleUnknownTokens } from '../../../src/auth/unknown-token-throttle.ts';
import type { Kind } from '../../../src/contract/record/kinds.ts';
import type { Locale } from '../../../src/contract/record/labels.ts';
import { LocalOperator } from '../../../src/control/local-operator.ts';
import type { TokenOrder } from '../../../src/control/operator.ts';
import { type Database, openDatabase } from '../../../src/database/open-database.ts';
import { buildServer, type ServerParts } from '../../../src/http/server.ts';
import type { ImportReport } from '../../../src/ingest/import-report.ts';
import { readerOf } from '../../../src/reading/import-barrier.ts';
import { findToken } from '../../../src/store/token-table.ts';
import { openStore, type Store, type StoreKind } from '../databases/stores.ts';
import { documented, watch } from './conformance.ts';

export interface TestService {
  readonly url: string;
  readonly store: Store;
  readonly database: Database;
  readonly operator: LocalOperator;
  readonly server: FastifyInstance;
  /** Everything that the server logged, as JSON lines. */
  readonly log: readonly string[];
  /** Imports the text of a file; fails the test where a row of it is refused. */
  importText(text: string, type?: Kind): Promise<ImportReport>;
  token(order: Partial<TokenOrder>): Promise<string>;
  get(path: string, token?: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  readonly store?: StoreKind;
  readonly timeZone?: string;
  readonly basePath?: string;
  readonly verifyJwt?: (jwt: string) => Promise<Principal>;
  /** Replaces parts of the server, to make the engine fail for example. */
  readonly parts?: (parts: ServerParts) => ServerParts;
}

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-'));
  const timeZone = options.timeZone ?? 'Europe/Paris';
  const store = await openStore(options.store ?? 'embedded', directory, timeZone);
  const database = await openDatabase({ url: store.url, timeZone });
  const { engine } = database;
  const operator = new LocalOperator(database);
  const log: string[] = [];
  const parts: ServerParts = {
    reader: readerOf(engine, database.topology),
    authenticate: authenticator({
      findToken: remembered(throttleUnknownTokens((hash) => findToken(engine, hash))),
      verifyJwt: options.verifyJwt,
    }),
    timeZone: database.timeZone,
    cursorKey: database.cursorKey,
    logger: pino({ level: 'debug' }, { write: (line) => void log.push(line) }),
    basePath: options.basePath ?? '',
  };
  const server = buildServer(options.parts?.(parts) ?? parts);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  watch(url, options.basePath ?? '');
  let files = 0;
  return {
    url,
    store,
    database,
    operator,
    server,
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
      return documented(url, path, response);
    },
    async close() {
      server.server.closeAllConnections();
      await server.close();
      await operator.close();
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { Follower } from './follower.ts';

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'transactions-concurrent-'));
});

afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Imports a row up to the moment before it becomes visible. Returns a function that publishes it.
 *
 * An operator runs one import at a time. Each of these imports has its own operator, as in two processes
 * on a ClickHouse server.
 */
async function importedLater(row: FileRow): Promise<() => Promise<void>> {
  const isComplete = Promise.withResolvers<void>();
  const mayPublish = Promise.withResolvers<void>();
  const engine = watchedEngine(service.database.engine, async (server, statement, watch) => {
    if (statement.text.includes("'publishing'")) {
      isComplete.resolve();
      await mayPublish.promise;
    }
    await server.execute(statement, watch);
  });
  const path = join(folder, `${row.transaction_id}-${row.publisher_id}`);
  await writeFile(path, ndjson([row]));
  const operator = new LocalOperator({ ...service.database, engine });
  const files = [{ path, name: 'file' }];
  const run = operator.importFiles({ files, round: false, rejects: false }, {});
  await Promise.race([isComplete.promise, run]);
  return async () => {
    mayPublish.resolve();
    await run;
  };
}

test.each([
  { published: 'last', newest: 101 },
  { published: 'first', newest: 100 },
])(
  'when two imports give a transaction different websites, a follower has the newer version, published $published',
  async ({ newest }) => {
    const token = await service.token({ role: 'admin' });
    const followed = ['', '&publisher_id=100,101'].map(
      (filter) => ({ role: 'admin', token, types: ['sales'], filter }) as const,
    );
    const followers = await Promise.all(followed.map((query) => Follower.begin(service, query)));
    const publications = [];
    for (const publisher of [100, 101]) {
      const hour = publisher === newest ? 11 : 10;
      const row = fileRow({
        transaction_id: newest,
        publisher_id: publisher,
        updated_at: `2026-02-01 ${hour}:00:00`,
      });
      publications.push(await importedLater(row));
    }
    for (const publish of publications) await publish();
    // Each page has one change, and must have the present version of the transaction.
    for (const follower of followers) expect(await follower.expectExactAtEnd(1)).toBeGreaterThan(0);
  },
);

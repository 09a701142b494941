/** Imports that are complete before others become visible, as in two processes. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import type { TestService } from '../support/requests/service.ts';
import { type FileRow, ndjson } from '../support/rows/file-rows.ts';

/**
 * Imports a row up to the moment before it becomes visible. Returns a function that publishes it.
 *
 * An operator runs one import at a time. Each of these imports has its own operator, as in two processes
 * on a ClickHouse server.
 */
export async function importedLater(
  { database }: TestService,
  folder: string,
  row: FileRow,
): Promise<() => Promise<void>> {
  const isComplete = Promise.withResolvers<void>();
  const mayPublish = Promise.withResolvers<void>();
  const engine = watchedEngine(
    database.engine,
    async (server, statement, watch) => {
      if (/'(intended|publishing)'/.test(statement.text)) {
        isComplete.resolve();
        await mayPublish.promise;
      }
      await server.execute(statement, watch);
    },
    { isShared: true },
  );
  const path = join(folder, `${row.transaction_id}-${row.publisher_id}-${row.program_id}`);
  await writeFile(path, ndjson([row]));
  const operator = new LocalOperator({ ...database, engine });
  const files = [{ path, name: 'file' }];
  const run = operator.importFiles({ files, round: false, rejects: false }, {});
  await Promise.race([isComplete.promise, run]);
  return async () => {
    mayPublish.resolve();
    await run;
  };
}

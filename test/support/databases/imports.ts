/** Imports files into a real service, and reads the results as both roles. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kind } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import type { Row } from '../../../src/contract/record/rows.ts';
import type { ImportFile } from '../../../src/ingest/files/import-file.ts';
import type { ImportReport } from '../../../src/ingest/import-report.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { startService, type TestService, type TestServiceOptions } from '../requests/service.ts';
import { fullOrShort } from '../run/test-extent.ts';
import { type VisibleCounts, visibleCounts } from './visible-counts.ts';

export interface TestImportOptions {
  readonly type?: Kind;
  readonly round?: boolean;
  readonly rejects?: boolean;
  /** The mapping and the dialect that the user gives for all files, and the key that only tables have. */
  readonly given?: Given;
  /** The same for each file. */
  readonly each?: readonly Given[];
}

type Given = Pick<ImportFile, 'mapping' | 'dialect' | 'key'>;

export interface TestReport extends ImportReport {
  /** The rejected rows as CSV without a header. */
  readonly rejectedCsv: string;
}

export interface TestImports {
  readonly service: TestService;
  /** A directory for the files of the test. */
  readonly directory: string;
  /** Imports contents together; the report names them `file 1`, `file 2`, … */
  importAll(
    contents: readonly (string | Uint8Array)[],
    options?: TestImportOptions,
  ): Promise<TestReport>;
  /** All transactions of a kind, with labels in French; affiliates read websites 100 to 103. */
  read<Reader extends Role>(role: Reader, kind: Kind): Promise<readonly Row<Reader>[]>;
  /** The number of transactions in each table, and the staging tables. */
  visible(): Promise<VisibleCounts>;
  /** Removes everything that was imported. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function startImports(options: TestServiceOptions = {}): Promise<TestImports> {
  // In `npm test` without month cache, which would read the changed months after each import.
  const memoryCache = fullOrShort(64 * 1024 * 1024, 0);
  const settings = { memoryCache, ...options.settings };
  const service = await startService({ ...options, settings });
  const directory = await mkdtemp(join(tmpdir(), 'transactions-files-'));
  const { engine } = service.database;
  const tokens: { readonly [role in Role]: string } = {
    admin: await service.token({}),
    affiliate: await service.token({ role: 'affiliate', publisherIds: [100, 101, 102, 103] }),
  };
  return {
    service,
    directory,
    async importAll(
      contents,
      { type, round = false, rejects = false, given = {}, each = [] } = {},
    ) {
      const files = contents.map((_, at) => ({
        path: join(directory, `content-${at + 1}`),
        name: `file ${at + 1}`,
        ...given,
        ...each[at],
      }));
      for (const [at, content] of contents.entries()) {
        await writeFile(files[at]?.path ?? '', content);
      }
      let rejectedCsv = '';
      const onRejected = async (csv: Uint8Array) => {
        rejectedCsv += Buffer.from(csv).toString();
      };
      const report = await service.operator.importFiles(
        { files, type, round, rejects },
        { onRejected },
      );
      return { ...report, rejectedCsv };
    },
    async read<Reader extends Role>(role: Reader, kind: Kind) {
      const period = 'start_date=1970-01-01&end_date=2106-02-07';
      const path = `/api/${role}/transactions?type=${kind}&${period}`;
      const response = await service.get(path, tokens[role]);
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as readonly Row<Reader>[];
    },
    visible: async () => await visibleCounts(engine),
    async clear() {
      for (const table of ['transactions', 'affiliate_transactions']) {
        await engine.execute(plainStatement(`TRUNCATE TABLE ${table}`));
      }
    },
    async close() {
      await service.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

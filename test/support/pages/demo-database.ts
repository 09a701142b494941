/** Embedded databases with a year of demo data that ends yesterday, and the tokens for it. */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDemoTokens } from '../../../src/cli/commands/demo-access.ts';
import { LocalOperator } from '../../../src/control/local-operator.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { writeDemoFile } from '../../../src/demo/demo-file.ts';
import { newDatabase, putCopy } from '../databases/copied-database.ts';

export type DemoTokens = Awaited<ReturnType<typeof makeDemoTokens>>;

/** The file with the tokens, in the directory of the database. */
const TOKENS = 'demo-tokens.json';

/** Returns a function like `newDatabase` that creates a database with a year of demo data. */
export const demoDatabase =
  (rows: number): typeof newDatabase =>
  async (directory, timeZone) =>
    await putCopy(`demo-${rows}-${timeZone}`, directory, async (draft) => {
      await newDatabase(draft, timeZone);
      const operator = new LocalOperator(await openDatabase({ url: `chdb:${draft}`, timeZone }));
      const path = join(draft, 'demo.csv');
      const lastDay = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      await writeDemoFile(path, { rows, days: 365, lastDay });
      const files = [{ path, name: 'demo.csv' }];
      await operator.importFiles({ files, round: false, rejects: false }, {});
      await writeFile(join(draft, TOKENS), JSON.stringify(await makeDemoTokens(operator)));
      await operator.close();
      await rm(path);
    });

/** The tokens of a database in this directory. */
export async function readDemoTokens(directory: string): Promise<DemoTokens> {
  return JSON.parse(await readFile(join(directory, TOKENS), 'utf8')) as DemoTokens;
}

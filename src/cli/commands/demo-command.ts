/** `transactions demo`: creates two years of sample data and serves it. */

import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { DIRECTORIES } from '../../contract/record/directory.ts';
import { LocalOperator } from '../../control/local-operator.ts';
import type { Operator } from '../../control/operator.ts';
import { RemoteOperator } from '../../control/remote-operator.ts';
import { readDatabaseUrl } from '../../database/database-url.ts';
import { type Database, isDatabase, openDatabase } from '../../database/open-database.ts';
import { writeDemoFile } from '../../demo/demo-file.ts';
import { demoNames } from '../../demo/demo-names.ts';
import type { DemoPeriod } from '../../demo/random/hourly-volumes.ts';
import { commandFile } from '../../disk/command-files.ts';
import { DatabaseInUse } from '../../engine/chdb/open-chdb.ts';
import { ANY_ROW, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { readJson } from '../../read-json.ts';
import { UserError } from '../../user-error.ts';
import { DEMO_CURRENCY, DEMO_DATABASE, DEMO_TIME_ZONE } from '../demo-defaults.ts';
import { type Flags, readSettings, type Settings } from '../inputs/settings.ts';
import {
  DEMO_FACTS,
  type DemoFacts,
  demoWelcome,
  makeDemoLinks,
  makeDemoTokens,
} from './demo-access.ts';
import { serve } from './serve.ts';

interface DemoFlags extends Flags {
  readonly rows: string;
}

/** Two years, so that any period of the last year has a former period to compare with. */
const DEMO_DAYS = 2 * 365;

export async function demoCommand(flags: DemoFlags): Promise<void> {
  const rows = readRows(flags.rows);
  const settings = readDemoSettings(flags);
  const file = join(directoryOf(settings.database), 'demo.json');
  const known = await readAccess(file);
  const filled = known ?? (await fill(settings, rows));
  // Written before anything else can fail, because the tokens cannot be shown again.
  if (known === undefined) await noteAccess(file, filled);
  const url = await serve(settings);
  if (known !== undefined) {
    console.error(`Serving the ${known.rows.toLocaleString('en')} existing transactions.`);
  }
  const access = { ...filled, url };
  await noteAccess(file, access);
  // The service has the database open, so only the service can create the links.
  const operator = new RemoteOperator(directoryOf(settings.database));
  console.error(demoWelcome(access, await makeDemoLinks(operator, access)));
}

/** The demo has its own default database, time zone and currency. */
function readDemoSettings(flags: DemoFlags): Settings {
  const environment = { ...process.env, DATABASE_URL: process.env.DATABASE_URL || DEMO_DATABASE };
  const given = readSettings(flags, environment);
  const settings = { ...given, currency: given.currency ?? DEMO_CURRENCY };
  const isNew = !isDatabase(directoryOf(settings.database));
  return isNew && settings.timeZone === undefined
    ? { ...settings, timeZone: DEMO_TIME_ZONE }
    : settings;
}

/** The directory of the database, where `demo.json` is stored too. */
function directoryOf(url: string): string {
  const address = readDatabaseUrl(url);
  if (address.kind === 'chdb') return address.directory;
  throw new UserError(
    'The demo needs an embedded database.',
    'Name a directory for it: --database chdb:./data/demo',
  );
}

async function readAccess(file: string): Promise<DemoFacts | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return readJson(DEMO_FACTS, text);
  } catch (cause) {
    throw new UserError(
      `${file} is damaged, or was written by another version of the demo.`,
      'Make a new demo in another directory: transactions demo --database chdb:./data/other-demo',
      { cause },
    );
  }
}

/** Replaces the file atomically, so that readers always find a complete one. */
async function noteAccess(file: string, access: DemoFacts): Promise<void> {
  const draft = `${file}.part`;
  await writeFile(draft, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

function readRows(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UserError(
    '--rows must be a whole number from 1 to 999999999.',
    'npm run demo -- --rows 200000',
  );
}

async function fill(settings: Settings, rows: number): Promise<DemoFacts> {
  const today = Temporal.Now.plainDateISO(settings.timeZone ?? DEMO_TIME_ZONE);
  const lastDay = String(today.subtract({ days: 1 }));
  const database = await openEmpty(settings);
  const operator = new LocalOperator(database);
  try {
    // Names come first: a demo that is killed in between has no transactions, so it can be started again.
    await importNames(operator);
    await importTransactions(operator, { rows, days: DEMO_DAYS, lastDay });
    return { ...(await makeDemoTokens(operator)), rows, last_day: lastDay };
  } finally {
    await operator.close();
  }
}

/** Opens the database. Refuses one with transactions, so that sample data never mixes with real data. */
async function openEmpty(settings: Settings): Promise<Database> {
  const { database: url, timeZone, ipAddresses: addresses } = settings;
  const database = await openDatabase({ url, timeZone, addresses }).catch((cause: unknown) => {
    if (!(cause instanceof DatabaseInUse)) throw cause;
    throw new UserError(
      `${cause.message} The embedded database belongs to one process at a time.`,
      'Stop the other process, or use another directory: --database chdb:./other',
      { cause },
    );
  });
  const found = await database.engine.rows(
    select(ANY_ROW, plainStatement('SELECT 1 FROM transactions LIMIT 1')),
  );
  if (found.length === 0) return database;
  await database.engine.close();
  throw new UserError(
    `The database in ${database.directory} already has transactions, but no file demo.json, which every complete demo has.`,
    'Use another directory: --database chdb:./data/other-demo',
  );
}

async function importNames(operator: Operator): Promise<void> {
  await mkdir(operator.workDirectory, { recursive: true, mode: 0o700 });
  const names = demoNames();
  for (const of of DIRECTORIES) {
    const path = commandFile(operator.workDirectory, 'demo');
    try {
      await writeFile(path, names[of], { mode: 0o600 });
      const files = [{ path, name: `${of}.csv` }];
      const report = await operator.importDirectory({ of, files, replace: false }, {});
      if (report.rejected > 0)
        throw new Error(
          `The generated sample data has invalid rows: ${JSON.stringify(report.faults)}`,
        );
    } finally {
      await rm(path, { force: true });
    }
  }
}

async function importTransactions(operator: Operator, period: DemoPeriod): Promise<void> {
  const path = commandFile(operator.workDirectory, 'demo');
  await mkdir(operator.workDirectory, { recursive: true, mode: 0o700 });
  console.error(`Making two years of ${period.rows.toLocaleString('en')} transactions …`);
  try {
    await writeDemoFile(path, period);
    const files = [{ path, name: 'demo.csv' }];
    const report = await operator.importFiles({ files, round: false, rejects: false }, {});
    if (report.rejected > 0)
      throw new Error(
        `The generated sample data has invalid rows: ${JSON.stringify(report.faults)}`,
      );
    const rate = Math.round(report.rows / report.seconds).toLocaleString('en');
    console.error(`Imported them in ${report.seconds.toFixed(1)} s (${rate} rows/s).`);
  } finally {
    await rm(path, { force: true });
  }
}

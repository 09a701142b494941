/** `transactions demo`: a year of a believable platform, served. */

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import colors from 'picocolors';
import { writeDemoFile } from '../demo/demo-file.ts';
import { demoPlatform } from '../demo/demo-platform.ts';
import { directoryOf, workDirectory } from '../operator/database.ts';
import { readDatabaseUrl } from '../operator/database-url.ts';
import { openOperator } from '../operator/open-operator.ts';
import type { Operator } from '../operator/operator.ts';
import { OperatorError } from '../operator/operator-error.ts';
import { serve } from './serve.ts';
import { type Flags, readSettings, type Settings } from './settings.ts';

export interface DemoFlags extends Flags {
  readonly rows?: string;
}

/** What scripts need to know of a demo; `demo.json` in the database's directory. */
interface DemoAccess {
  readonly url: string;
  readonly admin_token: string;
  readonly affiliate_token: string;
  readonly affiliate_en_token: string;
  readonly affiliate_publisher_ids: readonly number[];
  readonly affiliate_en_publisher_ids: readonly number[];
  readonly rows: number;
  readonly last_day: string;
}

const DEMO_DATABASE = 'chdb:./data/demo';
const DEMO_TIME_ZONE = 'Europe/Paris';
const DEFAULT_ROWS = '200000';

export async function demoCommand(flags: DemoFlags): Promise<void> {
  const environment = { TIMEZONE: DEMO_TIME_ZONE, DATABASE_URL: DEMO_DATABASE, ...process.env };
  const settings = readSettings(flags, environment);
  const file = join(directoryOf(readDatabaseUrl(settings.database)), 'demo.json');
  const known = await readAccess(file);
  const filled = known ?? (await fill(settings, readRows(flags.rows ?? DEFAULT_ROWS)));
  const service = await serve(settings);
  const access = { ...filled, url: service.url };
  await writeFile(file, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 });
  console.error(introduction(access));
}

async function readAccess(file: string): Promise<DemoAccess | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as DemoAccess);
}

function readRows(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(
    '--rows must be a number of rows, at least 1.',
    'npm run demo -- --rows 200000',
  );
}

async function fill(settings: Settings, rows: number): Promise<Omit<DemoAccess, 'url'>> {
  const lastDay = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const operator = await openOperator({ url: settings.database, timeZone: settings.timeZone });
  try {
    await importYear(
      operator,
      rows,
      lastDay,
      workDirectory(directoryOf(readDatabaseUrl(settings.database))),
    );
    return { ...(await makeTokens(operator)), rows, last_day: lastDay };
  } finally {
    await operator.close();
  }
}

async function importYear(operator: Operator, rows: number, lastDay: string, directory: string) {
  const path = join(directory, 'demo.csv');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  console.error(`Making a year of ${rows.toLocaleString('en')} transactions …`);
  try {
    await writeDemoFile(path, { rows, lastDay });
    const files = [{ path, name: 'demo.csv' }];
    const report = await operator.importFiles({ files, round: false, rejects: false }, {});
    const rate = Math.round(report.rows / report.seconds).toLocaleString('en');
    console.error(`Imported them in ${report.seconds.toFixed(1)} s (${rate} rows/s).`);
  } finally {
    await rm(path, { force: true });
  }
}

async function makeTokens(operator: Operator) {
  const [first, second] = demoPlatform().affiliates;
  const admin = {
    role: 'admin',
    publisherIds: [],
    programIds: [],
    locale: 'fr',
    name: 'Demo admin',
  } as const;
  const french = {
    ...admin,
    role: 'affiliate',
    publisherIds: first?.publisherIds ?? [],
    name: first?.name,
  } as const;
  const english = {
    ...french,
    publisherIds: second?.publisherIds ?? [],
    locale: 'en',
    name: second?.name,
  } as const;
  return {
    admin_token: (await operator.createToken(admin)).token,
    affiliate_token: (await operator.createToken(french)).token,
    affiliate_en_token: (await operator.createToken(english)).token,
    affiliate_publisher_ids: french.publisherIds,
    affiliate_en_publisher_ids: english.publisherIds,
  };
}

function introduction({ url, last_day: day, ...access }: DemoAccess): string {
  const line = (what: string, path: string, token: string) =>
    `${colors.bold(what)}\ncurl -H 'Authorization: Bearer ${token}' '${url}${path}'`;
  const month = `start_date=${day.slice(0, 8)}01&end_date=${day}`;
  return [
    '',
    line(
      'All sales of one day, as an admin:',
      `/api/admin/transactions?type=sales&start_date=${day}&end_date=${day}`,
      access.admin_token,
    ),
    line(
      "An affiliate's leads of the month, in French:",
      `/api/affiliate/transactions?type=leads&${month}`,
      access.affiliate_token,
    ),
    line(
      "Another affiliate's sales of the month, in English:",
      `/api/affiliate/transactions?type=sales&${month}`,
      access.affiliate_en_token,
    ),
    '',
    `Serving at ${colors.cyan(url)}. Stop with Ctrl-C.`,
  ].join('\n');
}

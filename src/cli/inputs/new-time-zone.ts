/** Settles the time zone of a new database: an import asks for it in a terminal, and other commands print it. */

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { timeZoneNamed } from '../../contract/query/calendar.ts';
import { readDatabaseUrl } from '../../database/database-url.ts';
import { isDatabase } from '../../database/open-database.ts';
import { DEFAULT_TIME_ZONE } from '../../database/time-zone-setting.ts';
import { UserError } from '../../user-error.ts';
import type { Settings } from './settings.ts';

type ZoneSettings = Pick<Settings, 'database' | 'timeZone'>;

/** Whether this command will create an embedded database, and nothing names its time zone. */
export function isUndecided({ database, timeZone }: ZoneSettings): boolean {
  const address = readDatabaseUrl(database);
  return timeZone === undefined && address.kind === 'chdb' && !isDatabase(address.directory);
}

/** How to choose the time zone: in a command without the flag --time-zone, and in one with it. */
const BY_ENVIRONMENT = 'TIMEZONE=Europe/Paris';
const BY_FLAG = '--time-zone Europe/Paris';

const noticeOf = (choice: string): string =>
  `The time zone of this database is ${DEFAULT_TIME_ZONE}, and it cannot be changed later. To use another one, delete the database and start again with ${choice}.`;

/** The notice of a command that will create an embedded database without a chosen time zone. Otherwise undefined. */
export const newZoneNotice = (settings: ZoneSettings): string | undefined =>
  isUndecided(settings) ? noticeOf(BY_FLAG) : undefined;

/** The notice after `migrate` has created a database on a server. Only `migrate` knows that it is new. */
export const SERVER_ZONE_NOTICE = `The time zone of this database is ${DEFAULT_TIME_ZONE}, and it cannot be changed later. To use another one, drop the database and migrate again with ${BY_FLAG}.`;

/** Prints the default time zone on standard error if the command will create the database with it. */
export async function printZoneNotice(settings: Settings): Promise<Settings> {
  if (isUndecided(settings)) console.error(noticeOf(BY_ENVIRONMENT));
  return settings;
}

/** Adds the time zone of a new database: asks for it in a terminal, and prints a notice without one. */
export async function settleTimeZone<Given extends ZoneSettings>(
  settings: Given,
  { input, output, isTerminal }: Terminal = TERMINAL,
): Promise<Given> {
  if (!isUndecided(settings)) return settings;
  if (!isTerminal()) {
    output.write(`${noticeOf(BY_FLAG)}\n`);
    return settings;
  }
  const lines = createInterface({ input, output, terminal: false });
  try {
    const answer = lines.question(
      `Time zone in which days begin (it cannot be changed later), such as Europe/Paris. Enter for ${DEFAULT_TIME_ZONE}: `,
    );
    const text = await Promise.race([answer, once(lines, 'close').then(throwUnanswered)]);
    return { ...settings, timeZone: zoneOf(text.trim()) };
  } finally {
    lines.close();
  }
}

function throwUnanswered(): never {
  throw new UserError('The time zone was not chosen.', 'Name it: --time-zone Europe/Paris');
}

function zoneOf(text: string): string {
  const zone = text === '' ? DEFAULT_TIME_ZONE : timeZoneNamed(text);
  if (zone !== undefined) return zone;
  throw new UserError(
    `"${text}" is not a time zone of the IANA database.`,
    'Run the same command again, and name one, such as Europe/Paris.',
  );
}

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly isTerminal: () => boolean;
}

/** The question goes to standard error, because standard output may go to a file. */
const TERMINAL: Terminal = {
  input: process.stdin,
  output: process.stderr,
  isTerminal: () => process.stdin.isTTY === true && process.stderr.isTTY === true,
};

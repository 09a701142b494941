/** `transactions check`: prints the settings in effect, and tests the database. */

import colors from 'picocolors';
import { openOperator } from '../../control/open-operator.ts';
import type { Operator } from '../../control/operator.ts';
import { RemoteOperator } from '../../control/remote-operator.ts';
import { readDatabaseUrl } from '../../database/database-url.ts';
import { isDatabase } from '../../database/open-database.ts';
import { DEFAULT_TIME_ZONE } from '../../database/time-zone-setting.ts';
import { almostFullDiskText } from '../../disk/disk-space.ts';
import { damageNotice } from '../../engine/damaged-parts.ts';
import type { FailedImport } from '../../store/last-import.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import {
  type Flags,
  readSettings,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  setting,
  settingText,
} from '../inputs/settings.ts';
import { withoutPassword } from '../inputs/shown-settings.ts';
import { ipAddressNotice } from '../output/ip-address-notice.ts';
import { textTable } from '../output/text-table.ts';

export async function checkCommand(flags: Flags): Promise<void> {
  const [opened] = await Promise.allSettled([openExisting(flags)]);
  const operator = opened.status === 'fulfilled' ? opened.value : undefined;
  try {
    console.log(settingsTable(flags, await operator?.timeZone()));
    if (opened.status === 'rejected') throw opened.reason;
    if (operator === undefined) sayThatThereIsNone(readSettings(flags, process.env));
    else await test(operator, flags);
  } finally {
    await operator?.close();
  }
}

/** Undefined if there is no embedded database yet. */
async function openExisting(flags: Flags): Promise<Operator | undefined> {
  const settings = readSettings(flags, process.env);
  const address = readDatabaseUrl(settings.database);
  if (address.kind === 'chdb' && !isDatabase(address.directory)) return undefined;
  return await openOperator(await databaseSettings(settings));
}

/** Shows the time zone of the database if no setting names one. */
function settingsTable(flags: Flags, timeZone: string | undefined): string {
  const rows = SETTING_NAMES.map((name) => {
    const { text, from } = settingText(name, flags, process.env);
    const { env } = setting(name);
    if (name === 'timeZone' && text === undefined && timeZone !== undefined) {
      return { setting: env, value: timeZone, from: 'database' };
    }
    const shown = text === undefined ? 'not set' : shownValue(name, text);
    return { setting: env, value: shown === '' ? '(empty)' : shown, from };
  });
  return textTable(rows);
}

function sayThatThereIsNone({ database, timeZone }: Settings): void {
  const address = readDatabaseUrl(database);
  const place = address.kind === 'chdb' ? address.directory : database;
  const zone = timeZone ?? DEFAULT_TIME_ZONE;
  const choice =
    timeZone === undefined
      ? ' To choose another, set TIMEZONE=Europe/Paris before that command.'
      : '';
  console.log(
    `There is no database in ${place} yet. The first command that needs one creates it with the time zone ${zone}, which cannot be changed later.${choice}`,
  );
}

async function test(operator: Operator, flags: Flags): Promise<void> {
  await operator.listTokens();
  const openElsewhere = operator instanceof RemoteOperator ? ' A running server has it open.' : '';
  console.log(colors.green(`The database responds and matches these settings.${openElsewhere}`));
  console.log(`Its time zone is ${await operator.timeZone()}, which cannot be changed.`);
  const { addresses, lastImport, damaged = [] } = await operator.databaseState();
  console.log(lastImportText(lastImport));
  const failedImport = await operator.failedImport();
  const notices = [
    damageNotice(damaged),
    failedImport && failedImportText(failedImport),
    await diskNotice(readSettings(flags, process.env)),
    addresses && ipAddressNotice(addresses),
  ];
  for (const notice of notices) if (notice !== undefined) console.log(colors.yellow(notice));
}

function failedImportText({ ended, isDiskFull }: FailedImport): string {
  const reason = isDiskFull ? 'failed because a disk was full' : 'failed';
  const advice = isDiskFull
    ? 'Make room, then run it again.'
    : 'Correct the cause, which its message names, then run it again.';
  return `The import that ended at ${timeText(ended)} ${reason}, and no later import has succeeded. ${advice} Importing the same rows twice changes nothing.`;
}

/** Only for an embedded database, which is on a disk of this machine. */
async function diskNotice({ database }: Settings): Promise<string | undefined> {
  const address = readDatabaseUrl(database);
  const text = address.kind === 'chdb' ? await almostFullDiskText(address.directory) : undefined;
  return text && `${text}: imports, backups and Parquet files may fail. Make room on it.`;
}

const timeText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

/** `ended` is in seconds since 1970. */
function lastImportText(ended: number | undefined): string {
  if (ended === undefined) return 'Nothing was imported yet.';
  const seconds = Math.max(Math.round(Date.now() / 1000 - ended), 0);
  return `The last import ended at ${timeText(ended)}, ${durationText(seconds)} ago.`;
}

/** In the largest unit whose number is at least 2: `119 minutes`, but `2 hours`. */
function durationText(seconds: number): string {
  const units = [
    ['days', 86_400],
    ['hours', 3_600],
    ['minutes', 60],
  ] as const;
  const [unit, length] = units.find(([, size]) => seconds >= 2 * size) ?? ['seconds', 1];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** Hides the password. Hides an invalid value as a whole, because the password could be anywhere in it. */
function shownValue(name: SettingName, text: string): string {
  const { secret, read } = setting(name);
  if (secret === undefined) return text;
  try {
    read(text);
    return withoutPassword(text);
  } catch {
    return '***';
  }
}

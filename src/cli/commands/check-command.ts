/** `transactions check`: the effective settings, and whether the database answers and fits. */

import colors from 'picocolors';
import { openOperator } from '../../control/open-operator.ts';
import { RemoteOperator } from '../../control/remote-operator.ts';
import { readDatabaseUrl } from '../../database/database-url.ts';
import { DEFAULT_TIME_ZONE, isDatabase } from '../../database/open-database.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import {
  type Flags,
  readSettings,
  SETTING_NAMES,
  type SettingName,
  settingLine,
  settingText,
} from '../inputs/settings.ts';
import { textTable } from '../output/text-table.ts';

export async function checkCommand(flags: Flags): Promise<void> {
  const rows = SETTING_NAMES.map((name) => {
    const { text, from } = settingText(name, flags, process.env);
    const { env } = settingLine(name);
    const shown = text === undefined ? 'not set' : shownValue(name, text);
    return { setting: env, value: shown === '' ? '(empty)' : shown, from };
  });
  console.log(textTable(rows));
  const settings = readSettings(flags, process.env);
  const address = readDatabaseUrl(settings.database);
  if (address.kind === 'chdb' && !isDatabase(address.directory)) {
    const zone = settings.timeZone ?? DEFAULT_TIME_ZONE;
    console.log(
      `There is no database in ${address.directory} yet: the first import, token or server makes it, for the time zone ${zone}.`,
    );
    return;
  }
  const operator = await openOperator(await databaseSettings(settings));
  try {
    await operator.listTokens();
    const where = operator instanceof RemoteOperator ? ', held by a running server' : '';
    console.log(colors.green(`The database answers and fits${where}.`));
  } finally {
    await operator.close();
  }
}

/** Of what is no URL nobody knows where the secret in it is. */
function shownValue(name: SettingName, text: string): string {
  const { secret, read } = settingLine(name);
  if (secret === undefined) return text;
  try {
    read(text);
    return withoutPassword(text);
  } catch {
    return '***';
  }
}

/** A URL whose password is not for everyone's eyes, whatever characters are in it. */
export const withoutPassword = (url: string): string =>
  url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1:***@');

/** `transactions check`: prints the settings in effect, and tests the database. */

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
  setting,
  settingText,
} from '../inputs/settings.ts';
import { withoutPassword } from '../inputs/shown-settings.ts';
import { addressNotice } from '../output/address-notice.ts';
import { textTable } from '../output/text-table.ts';

export async function checkCommand(flags: Flags): Promise<void> {
  const rows = SETTING_NAMES.map((name) => {
    const { text, from } = settingText(name, flags, process.env);
    const { env } = setting(name);
    const shown = text === undefined ? 'not set' : shownValue(name, text);
    return { setting: env, value: shown === '' ? '(empty)' : shown, from };
  });
  console.log(textTable(rows));
  const settings = readSettings(flags, process.env);
  const address = readDatabaseUrl(settings.database);
  if (address.kind === 'chdb' && !isDatabase(address.directory)) {
    const zone = settings.timeZone ?? DEFAULT_TIME_ZONE;
    console.log(
      `There is no database in ${address.directory} yet: the first import, token or server creates it, for the time zone ${zone}.`,
    );
    return;
  }
  const operator = await openOperator(await databaseSettings(settings));
  try {
    await operator.listTokens();
    const openElsewhere =
      operator instanceof RemoteOperator ? ' A running server has it open.' : '';
    console.log(colors.green(`The database responds and matches these settings.${openElsewhere}`));
    const shown = await operator.addresses();
    const notice = shown && addressNotice(shown);
    if (notice !== undefined) console.log(colors.yellow(notice));
  } finally {
    await operator.close();
  }
}

/** Hides all of a text that is not a URL, because the password could be anywhere in it. */
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

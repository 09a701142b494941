/** Reads what is needed to open a database from the settings, including the password from its file. */

import type { DatabaseSettings } from '../../database/open-database.ts';
import { passwordFrom } from './password-file.ts';
import type { Settings } from './settings.ts';

export async function databaseSettings(settings: Settings): Promise<DatabaseSettings> {
  const { database: url, timeZone, ipAddresses: addresses, databasePasswordFile: file } = settings;
  if (file === undefined) return { url, timeZone, addresses };
  return { url, timeZone, addresses, password: await passwordFrom(file, 'DATABASE_PASSWORD_FILE') };
}

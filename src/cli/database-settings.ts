/** From the settings to what opening a database needs, with the password from its file. */

import { readFile } from 'node:fs/promises';
import type { DatabaseSettings } from '../operator/database.ts';
import { OperatorError } from '../operator/operator-error.ts';
import type { Settings } from './settings.ts';

export async function databaseSettings(settings: Settings): Promise<DatabaseSettings> {
  const { database: url, timeZone, databasePasswordFile: file } = settings;
  if (file === undefined) return { url, timeZone };
  const password = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `The password's file ${file} cannot be read: ${cause.code}.`,
      'Let DATABASE_PASSWORD_FILE name a file that this user may read.',
      { cause },
    );
  });
  return { url, timeZone, password: password.trimEnd() };
}

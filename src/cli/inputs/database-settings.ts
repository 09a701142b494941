/** Reads what is needed to open a database from the settings, including the password from its file. */

import type { AuditSettings } from '../../audit/open-audit-log.ts';
import type { DatabaseSettings } from '../../database/open-database.ts';
import { passwordFrom } from './password-file.ts';
import type { Settings } from './settings.ts';

export async function databaseSettings(
  settings: Settings,
): Promise<DatabaseSettings & AuditSettings> {
  const { database: url, timeZone, ipAddresses: addresses, databasePasswordFile: file } = settings;
  const { auditLog, auditRetention, changesRetention } = settings;
  const plain = { url, timeZone, addresses, auditLog, auditRetention, changesRetention };
  if (file === undefined) return plain;
  return { ...plain, password: await passwordFrom(file, 'DATABASE_PASSWORD_FILE') };
}

/** Selects the settings that opening a database needs, and reads the password from its file. */

import type { AuditSettings } from '../../audit/open-audit-log.ts';
import type { DatabaseSettings } from '../../database/open-database.ts';
import { passwordFrom } from './password-file.ts';
import { type Settings, settingText } from './settings.ts';

export async function databaseSettings(
  settings: Settings,
): Promise<DatabaseSettings & AuditSettings> {
  const { database: url, timeZone, ipAddresses: addresses, databasePasswordFile: file } = settings;
  const { auditLog, changesRetention, webhookNetworks } = settings;
  // Without the setting, a command must not delete what a service with another setting keeps.
  const isGiven = settingText('auditRetention', {}, process.env).from === 'environment';
  const auditRetention = isGiven ? settings.auditRetention : 0;
  const kept = { auditLog, auditRetention, changesRetention };
  const plain = { url, timeZone, addresses, ...kept, webhookNetworks };
  if (file === undefined) return plain;
  return { ...plain, password: await passwordFrom(file, 'DATABASE_PASSWORD_FILE') };
}

/** Opens a database in this process, or connects to the process that has opened it. */

import { type AuditSettings, openAuditLog } from '../audit/open-audit-log.ts';
import { readDatabaseUrl } from '../database/database-url.ts';
import { checkAddressVisibility } from '../database/ip-address-setting.ts';
import { type Database, type DatabaseSettings, openDatabase } from '../database/open-database.ts';
import { checkTimeZone } from '../database/time-zone-setting.ts';
import { DatabaseInUse } from '../engine/chdb/open-chdb.ts';
import { AuditedOperator, type AuditReadingOperator } from './audited-operator.ts';
import { LocalOperator } from './local-operator.ts';
import { RemoteOperator } from './remote-operator.ts';

export type OperatorSettings = DatabaseSettings & AuditSettings;

export async function openOperator(settings: OperatorSettings): Promise<AuditReadingOperator> {
  try {
    return await openLocal(await openDatabase(settings), settings);
  } catch (error) {
    const address = readDatabaseUrl(settings.url);
    if (!(error instanceof DatabaseInUse) || address.kind !== 'chdb') throw error;
    const operator = new RemoteOperator(address.directory);
    checkTimeZone(await operator.timeZone(), settings.timeZone);
    const { addresses: shown } = await operator.databaseState();
    if (shown !== undefined) {
      checkAddressVisibility(shown.visibility, settings.addresses, { isServed: true });
    }
    return operator;
  }
}

async function openLocal(
  database: Database,
  settings: AuditSettings,
): Promise<AuditReadingOperator> {
  const audit = await openAuditLog(database, settings, {
    warn: (details, message) => console.error(`warning: ${message}: ${JSON.stringify(details)}`),
  });
  return new AuditedOperator(new LocalOperator(database), {
    database,
    log: audit.log,
    closeLog: audit.close,
  });
}

/** Opens a database in this process, or connects to the process that has opened it. */

import { checkAddresses } from '../database/agree-on-addresses.ts';
import { readDatabaseUrl } from '../database/database-url.ts';
import { checkTimeZone, type DatabaseSettings, openDatabase } from '../database/open-database.ts';
import { DirectoryInUse } from '../engine/chdb/open-chdb.ts';
import { LocalOperator } from './local-operator.ts';
import type { Operator } from './operator.ts';
import { RemoteOperator } from './remote-operator.ts';

export async function openOperator(settings: DatabaseSettings): Promise<Operator> {
  try {
    return new LocalOperator(await openDatabase(settings));
  } catch (error) {
    const address = readDatabaseUrl(settings.url);
    if (!(error instanceof DirectoryInUse) || address.kind !== 'chdb') throw error;
    const operator = new RemoteOperator(address.directory);
    checkTimeZone(await operator.timeZone(), settings.timeZone);
    const shown = await operator.addresses();
    if (shown !== undefined) checkAddresses(shown.visibility, settings.addresses);
    return operator;
  }
}

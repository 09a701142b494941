/** `transactions migrate`: brings the database's tables to this version. */

import { openOperator } from '../operator/open-operator.ts';
import { type Flags, readSettings } from './settings.ts';

export async function migrateCommand(flags: Flags): Promise<void> {
  const { database: url, timeZone } = readSettings(flags, process.env);
  // Opening an embedded database migrates it; one that is served was migrated when it was opened.
  const operator = await openOperator({ url, timeZone });
  await operator.close();
  console.log('The database has the tables of this version.');
}

/** `transactions migrate`: migrates the tables of the database to this version. */

import { type OperatorSettings, openOperator } from '../../control/open-operator.ts';
import { isCreation, migrateDatabase } from '../../database/migrate-database.ts';
import { DatabaseInUse } from '../../engine/chdb/open-chdb.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import { newZoneNotice, SERVER_ZONE_NOTICE } from '../inputs/new-time-zone.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';

type MigrateFlags = Flags & { readonly cluster?: string };

export async function migrateCommand({ cluster, ...flags }: MigrateFlags): Promise<void> {
  const given = readSettings(flags, process.env);
  const notice = newZoneNotice(given);
  if (notice !== undefined) console.error(notice);
  const settings = await databaseSettings(given);
  const done = await migrateDatabase(settings, cluster, (line) => console.log(line)).catch(
    async (error: unknown): Promise<readonly string[]> => {
      if (!(error instanceof DatabaseInUse)) throw error;
      // The running server migrated the database when it opened it.
      await checkServing(settings);
      return [];
    },
  );
  if (notice === undefined && isCreation(done) && given.timeZone === undefined)
    console.error(SERVER_ZONE_NOTICE);
  for (const name of done) console.log(`Applied: ${name}.`);
  console.log('The database has the tables of this version.');
}

/** Throws if the running server has another time zone or shows IP addresses in another way than the settings say. */
async function checkServing(settings: OperatorSettings): Promise<void> {
  await (await openOperator(settings)).close();
}

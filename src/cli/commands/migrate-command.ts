/** `transactions migrate`: migrates the tables of the database to this version. */

import { migrateDatabase } from '../../database/migrate-database.ts';
import { DirectoryInUse } from '../../engine/chdb/open-chdb.ts';
import { databaseSettings } from '../inputs/database-settings.ts';
import { type Flags, readSettings } from '../inputs/settings.ts';

type MigrateFlags = Flags & { readonly cluster?: string };

export async function migrateCommand({ cluster, ...flags }: MigrateFlags): Promise<void> {
  const settings = await databaseSettings(readSettings(flags, process.env));
  const done = await migrateDatabase(settings, cluster).catch((error: unknown) => {
    // A server migrates its embedded database when it opens it.
    if (error instanceof DirectoryInUse) return [];
    throw error;
  });
  for (const name of done) console.log(`Applied: ${name}.`);
  console.log('The database has the tables of this version.');
}

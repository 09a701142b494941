/** Opens an empty database and restores a backup into it. */

import type { BackupOptions, BackupReport } from '../backup/back-up.ts';
import type { BackupPlace } from '../backup/backup-place.ts';
import { recoverRestores } from '../backup/interrupted-restore.ts';
import { factsAt, restore } from '../backup/restore.ts';
import {
  type AddressVisibility,
  addressVisibilityText,
  readAddressVisibility,
} from '../contract/record/address-visibility.ts';
import type { Engine } from '../engine/engine.ts';
import { plainStatement } from '../plan/sql.ts';
import { clusterNodesOf } from '../schema/cluster-nodes.ts';
import { UserError } from '../user-error.ts';
import { type DatabaseSettings, openForRestore } from './open-database.ts';
import { checkTimeZone } from './time-zone-setting.ts';

/** A new embedded database gets the time zone and IP_ADDRESSES of the backup. Servers must be migrated before. */
export async function restoreDatabase(
  settings: DatabaseSettings,
  from: BackupPlace,
  options: BackupOptions,
): Promise<BackupReport> {
  const database = await openForRestore(settings, async (engine) => {
    const wanted = await settingsOf(engine, from);
    checkTimeZone(wanted.timeZone, settings.timeZone);
    checkBackedUpAddresses(wanted.addresses, settings.addresses);
    return wanted;
  });
  const { engine, topology, timeZone, addresses } = database;
  try {
    const nodes = await clusterNodesOf(engine, topology);
    await recoverRestores(nodes);
    return await restore({ nodes, timeZone, addresses: addresses.visibility }, from, options);
  } finally {
    await engine.close();
  }
}

/** Throws if the setting differs from that of the backup. Migrating before the restore would not help. */
function checkBackedUpAddresses(
  backedUp: AddressVisibility,
  wanted: AddressVisibility | undefined,
): void {
  const setting = addressVisibilityText(backedUp);
  if (wanted === undefined || addressVisibilityText(wanted) === setting) return;
  throw new UserError(
    `The backup was made with IP_ADDRESSES="${setting}", but IP_ADDRESSES is ${addressVisibilityText(wanted)}.`,
    `Restore with IP_ADDRESSES="${setting}". To change the setting after that: transactions migrate`,
  );
}

/** A temporary table. Its name must not begin with `import_`, because it would then count as one of an import. */
const FACTS = 'facts_of_backup';

async function settingsOf(engine: Engine, from: BackupPlace) {
  await engine.execute(plainStatement(`DROP TABLE IF EXISTS ${FACTS} SYNC`));
  const facts = await factsAt(engine, from, 0, FACTS);
  await engine.execute(plainStatement(`DROP TABLE IF EXISTS ${FACTS} SYNC`));
  return { timeZone: facts.time_zone, addresses: readAddressVisibility(facts.ip_addresses) };
}

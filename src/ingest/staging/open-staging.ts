/** Creates the staging tables of an import, with IP addresses shown as the setting of the database says. */

import {
  type AddressVisibility,
  addressVisibilityText,
} from '../../contract/record/address-visibility.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ClusterNodes } from '../../schema/cluster-nodes.ts';
import { leaseHolder } from '../../schema/values/maintenance-lease.ts';
import { storedAddressVisibility } from '../../schema/values/stored-address-visibility.ts';
import { createStagedChangesTable } from './staged-changes.ts';
import { createStaging, type Staging } from './staging.ts';

/**
 * Throws during a change of IP_ADDRESSES, a removal of old rows and a migration. They are recorded before they look for
 * staging tables, and an import creates its staging tables before it looks for such a record. So even if they begin
 * at the same time, one notices the other and stops.
 */
export async function openStaging(nodes: ClusterNodes, staging: Staging): Promise<void> {
  const before = await settledVisibility(nodes.engine);
  await createStaging(nodes, staging, before);
  await createStagedChangesTable(nodes, staging);
  const after = await settledVisibility(nodes.engine);
  if (addressVisibilityText(before) !== addressVisibilityText(after)) throw isChanging();
  if ((await leaseHolder(nodes)) !== undefined) throw isRemoving();
}

async function settledVisibility(engine: Engine): Promise<AddressVisibility> {
  const { visibility, isPending } = await storedAddressVisibility(engine);
  if (isPending) throw isChanging();
  return visibility;
}

const isRemoving = (): Error =>
  new Error(
    'Rows that RETENTION does not keep are being removed, IP_ADDRESSES is being changed or the database is being migrated: nothing was imported. Import again in a few minutes.',
  );

const isChanging = (): Error =>
  new Error(
    'Nothing was imported, because the records are being rewritten after a change of IP_ADDRESSES. Import again when `transactions migrate` has ended. If that command was interrupted, run it again first.',
  );

/** Compares the setting for IP addresses with what the records in a database show. */

import {
  type AddressVisibility,
  addressVisibilityText,
} from '../contract/record/address-visibility.ts';
import { ROLES } from '../contract/record/records.ts';
import { isExclusive } from '../engine/engine.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { hasTransactions } from '../schema/transaction-tables.ts';
import {
  type StoredAddressVisibility,
  storedAddressVisibility,
} from '../schema/values/stored-address-visibility.ts';
import { UserError } from '../user-error.ts';
import { changeAddressVisibility } from './change-ip-addresses.ts';

/** Throws if the database has another setting. An empty embedded database is changed to this setting instead. */
export async function reconcileAddressVisibility(
  nodes: ClusterNodes,
  timeZone: string,
  wanted: AddressVisibility | undefined,
): Promise<StoredAddressVisibility> {
  const stored = await storedAddressVisibility(nodes.engine);
  if (wanted === undefined || areSame(stored.visibility, wanted)) return stored;
  const isEmpty = isExclusive(nodes.engine) && !(await hasTransactions(nodes.engine));
  if (!isEmpty) checkAddressVisibility(stored.visibility, wanted);
  await changeAddressVisibility(nodes, { timeZone, wanted, announce: () => undefined });
  return await storedAddressVisibility(nodes.engine);
}

const areSame = (one: AddressVisibility, other: AddressVisibility): boolean =>
  ROLES.every((role) => one[role] === other[role]);

/** Throws if the setting differs from that of the database. `isServed` says that a running service has it open. */
export function checkAddressVisibility(
  stored: AddressVisibility,
  wanted: AddressVisibility | undefined,
  { isServed = false } = {},
): void {
  if (wanted === undefined || areSame(stored, wanted)) return;
  const migration = `${isServed ? ', stop the service, then type' : ''}: transactions migrate`;
  throw new UserError(
    `The records in the database were written with IP_ADDRESSES="${addressVisibilityText(stored)}", but IP_ADDRESSES is ${addressVisibilityText(wanted)}.`,
    `To rewrite them, which takes about as long as importing them${migration}\n  To keep them: IP_ADDRESSES="${addressVisibilityText(stored)}"`,
  );
}

/**
 * The setting for IP addresses that the stored records were rendered with, in the table `keys`.
 *
 * It is pending while records are rendered again. A killed process leaves it pending.
 */

import * as v from 'valibot';
import {
  type AddressVisibility,
  FULL_ADDRESSES,
  VISIBILITIES,
} from '../../contract/record/address-visibility.ts';
import type { Reader } from '../../engine/engine.ts';
import type { ClusterNodes } from '../cluster-nodes.ts';
import { storedValue, storeOnAllServers } from './stored-value.ts';

export interface StoredAddressVisibility {
  readonly visibility: AddressVisibility;
  /** Whether some records may still show what an earlier setting allowed. */
  readonly isPending: boolean;
}

const VISIBILITY = v.picklist(VISIBILITIES);

export const STORED_ADDRESS_VISIBILITY = v.object({
  visibility: v.object({ admin: VISIBILITY, affiliate: VISIBILITY }),
  isPending: v.boolean(),
}) satisfies v.GenericSchema<unknown, StoredAddressVisibility>;

/** The stored setting; the table must exist. A database that is older than the setting shows full addresses. */
export const storedAddressVisibility = async (reader: Reader): Promise<StoredAddressVisibility> =>
  (await storedValue(reader, 'ip_addresses', STORED_ADDRESS_VISIBILITY)) ?? {
    visibility: FULL_ADDRESSES,
    isPending: false,
  };

export const storeAddressVisibility = async (
  nodes: ClusterNodes,
  stored: StoredAddressVisibility,
): Promise<void> => await storeOnAllServers(nodes, 'ip_addresses', stored);

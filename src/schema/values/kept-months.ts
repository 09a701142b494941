/** Stores the first month of each kind that retention has kept: older rows were removed and cannot be imported. */

import * as v from 'valibot';
import { KINDS } from '../../contract/record/kinds.ts';
import type { KeptFrom } from '../../contract/record/retention.ts';
import type { Reader } from '../../engine/engine.ts';
import type { ClusterNodes } from '../cluster-nodes.ts';
import {
  type NumberedValue,
  numberedValue,
  storedValue,
  storeOnAllServers,
} from './stored-value.ts';

const KEPT_FROM = v.record(v.picklist(KINDS), v.pipe(v.string(), v.regex(/^\d{6}$/)));

/** The first month that retention has kept of each kind, such as `202603`. */
export const storedFirstKeptMonths = async (reader: Reader): Promise<KeptFrom> =>
  (await storedValue(reader, 'kept_from', KEPT_FROM)) ?? {};

/** The same with a number that increases whenever a removal stores the months, before and after each month. */
export const numberedFirstKeptMonths = async (reader: Reader): Promise<NumberedValue<KeptFrom>> =>
  (await numberedValue(reader, 'kept_from', KEPT_FROM)) ?? { value: {}, precedence: 0 };

export const storeFirstKeptMonths = async (nodes: ClusterNodes, kept: KeptFrom): Promise<void> =>
  await storeOnAllServers(nodes, 'kept_from', kept);

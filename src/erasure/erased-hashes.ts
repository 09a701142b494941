/**
 * Keyed hashes of the values and transactions that were erased.
 *
 * An import compares its rows with them, so an old file does not bring erased values back. A hash
 * is SipHash-2-4 with 128 bits, a keyed pseudorandom function that the engine computes for millions of
 * rows a second. Its key is in the table `keys`, and statements refer to it without showing it.
 */

import { bind, plainStatement, raw, sql, statementOf } from '../plan/sql.ts';
import { awaitReplication, type ClusterNodes } from '../schema/cluster-nodes.ts';
import { localTable } from '../schema/topology.ts';
import { erasedIdsTable } from './erased-keys.ts';
import type { Erasure } from './erasure-log.ts';
import { canonicalText, type Selector, type SelectorField, selectorBatches } from './selectors.ts';

/** The first 16 bytes of the key as two numbers. */
const KEY = `(SELECT (reinterpretAsUInt64(unhex(substring(value, 1, 16))), reinterpretAsUInt64(unhex(substring(value, 17, 16))))
  FROM keys FINAL WHERE name = 'erasures')`;

/** SQL for the hash of a value, given as its canonical text. */
export const erasedHash = (field: SelectorField, text: string): string =>
  `assumeNotNull(sipHash128ReferenceKeyed(${KEY}, '${field}', ${text}))`;

/** Stores the hashes of the values that select the transactions of an erasure. */
export async function storeValueHashes(
  nodes: ClusterNodes,
  { mode }: Erasure,
  selectors: readonly Selector[],
): Promise<void> {
  for (const { field, values } of selectorBatches(selectors).flat()) {
    const hash = raw(erasedHash(field, `ifNull(${canonicalText(field, 'text')}, '')`));
    await nodes.engine.execute(
      statementOf(
        sql`INSERT INTO erased SELECT ${hash}, ${bind('String', mode)}, now('UTC') FROM (SELECT arrayJoin(${bind('Array(String)', values)}) AS text)`,
      ),
    );
  }
  await awaitReplication(nodes, [localTable(nodes.topology, 'erased')]);
}

/** Stores the hashes of all transactions of an erasure. */
export async function storeIdHashes(nodes: ClusterNodes, { id, mode }: Erasure): Promise<void> {
  const hash = erasedHash('transaction_id', 'toString(transaction_id)');
  await nodes.engine.execute(
    plainStatement(
      `INSERT INTO erased SELECT ${hash}, '${mode}', now('UTC') FROM ${erasedIdsTable(id)}`,
    ),
  );
  await awaitReplication(nodes, [localTable(nodes.topology, 'erased')]);
}

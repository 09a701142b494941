/** Keeps an erasure from missing values in damaged parts, which no statement can search or change. */

import { DAMAGE_REMEDY, damagedParts, damageText } from '../engine/damaged-parts.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { localTransactionTables } from '../schema/transaction-tables.ts';
import { UserError } from '../user-error.ts';

async function damagedTransactions({ servers, topology }: ClusterNodes) {
  const tables = localTransactionTables(topology);
  const found = await Promise.all(
    servers.map(async (server) =>
      (await damagedParts(server)).map((part) => ({ ...part, server })),
    ),
  );
  return found.flat().filter(({ table }) => tables.includes(table));
}

/** Throws if there are damaged parts of any month, because their transactions are not known. */
export async function refuseDamage(nodes: ClusterNodes): Promise<void> {
  const damaged = await damagedTransactions(nodes);
  if (damaged.length === 0) return;
  throw new UserError(
    `${damageText(damaged)} Nothing was erased, because these files cannot be searched.`,
    `${DAMAGE_REMEDY} Then erase again.`,
  );
}

/** Drops parts that were damaged since the erasure began. It cannot be refused any more. */
export async function dropDamage(nodes: ClusterNodes, months: readonly number[]): Promise<void> {
  for (const { server, table, partition, name } of await damagedTransactions(nodes)) {
    if (!months.includes(Number(partition))) continue;
    const text = `ALTER TABLE ${table} DROP DETACHED PART '${name}' SETTINGS allow_drop_detached = 1`;
    await server.execute(plainStatement(text));
  }
}

/** Keeps an erasure from missing values in damaged parts, which no statement can search or change. */

import * as v from 'valibot';
import {
  DAMAGE_REMEDY,
  damagedParts,
  damageText,
  REPLICA_REMEDY,
} from '../engine/damaged-parts.ts';
import { type Engine, isExclusive } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import type { ClusterNodes } from '../schema/cluster-nodes.ts';
import { localTransactionTables } from '../schema/transaction-tables.ts';
import { UserError } from '../user-error.ts';

const HOST = select(
  v.object({ host: v.string() }),
  plainStatement("SELECT concat(hostName(), ':', toString(tcpPort())) AS host"),
);

/** The host and port of a server. Undefined for the embedded engine. */
const hostOf = async (server: Engine): Promise<string | undefined> =>
  isExclusive(server) ? undefined : (await server.rows(HOST))[0]?.host;

async function damagedTransactions({ servers, topology }: ClusterNodes) {
  const tables = localTransactionTables(topology);
  const found = await Promise.all(
    servers.map(async (server) =>
      (await damagedParts(server)).map((part) => ({ ...part, server })),
    ),
  );
  return found.flat().filter(({ table }) => tables.includes(table));
}

/**
 * Throws if there are damaged parts of any month, because their transactions are not known. Older parts that these had
 * replaced count too: if their rows are lost, nothing else tells the erasure that they have values of the person.
 */
export async function refuseDamage(nodes: ClusterNodes): Promise<void> {
  const damaged = await damagedTransactions(nodes);
  if (damaged.length === 0) return;
  const places = await Promise.all(
    damaged.map(async (part) => ({ ...part, host: await hostOf(part.server) })),
  );
  const remedy = nodes.topology.cluster?.isReplicated ? REPLICA_REMEDY : DAMAGE_REMEDY;
  throw new UserError(
    `${damageText(places)} Nothing was erased, because these files cannot be searched.`,
    `${remedy} Then erase again.`,
  );
}

/** Drops parts that were damaged since the erasure began, because the erasure cannot be refused any more. */
export async function dropDamage(nodes: ClusterNodes, months: readonly number[]): Promise<void> {
  for (const { server, table, partition, name } of await damagedTransactions(nodes)) {
    if (!months.includes(Number(partition))) continue;
    const text = `ALTER TABLE ${table} DROP DETACHED PART '${name}' SETTINGS allow_drop_detached = 1`;
    await server.execute(plainStatement(text));
  }
}

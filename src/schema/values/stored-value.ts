/** Named values of the whole database, as JSON in the table `keys`. */

import * as v from 'valibot';
import type { Engine, Reader } from '../../engine/engine.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { bind, plainStatement, sql, statementOf } from '../../plan/sql.ts';
import { awaitReplication, type ClusterNodes } from '../cluster-nodes.ts';
import { localTable } from '../topology.ts';

type ValueName = 'ip_addresses' | 'kept_from' | 'maintenance';

/** A value, and a number that increases each time it is stored, even if it stays the same. */
export interface NumberedValue<Value> {
  readonly value: Value;
  readonly precedence: number;
}

/** The newest value; undefined if there is none. */
export async function storedValue<Value>(
  reader: Reader,
  name: ValueName,
  schema: v.GenericSchema<unknown, Value>,
): Promise<Value | undefined> {
  return (await numberedValue(reader, name, schema))?.value;
}

/** Like `storedValue`, with the number of the value. `keys` may be the local table of a server. */
export async function numberedValue<Value>(
  reader: Reader,
  name: ValueName,
  schema: v.GenericSchema<unknown, Value>,
  keys = 'keys',
): Promise<NumberedValue<Value> | undefined> {
  const newest = plainStatement(
    `SELECT value, precedence FROM ${keys} FINAL WHERE name = '${name}'`,
  );
  const row = v.object({ value: v.pipe(v.string(), v.parseJson(), schema), precedence: INTEGER });
  return (await reader.rows(select(row, newest)))[0];
}

/**
 * Stores a value, and waits until every replica has it, because the service reads it from any replica. Also,
 * the names of kept Parquet and Arrow files depend on a hash of the values.
 */
export async function storeOnAllServers(
  nodes: ClusterNodes,
  name: ValueName,
  value: object,
): Promise<void> {
  await insertValue(nodes.engine, name, value);
  await awaitReplication(nodes, [localTable(nodes.topology, 'keys')]);
}

/**
 * Stores a value without waiting for the other replicas. Leases wait in a separate step: if only that step
 * fails, the lease is stored, and its process must end it.
 */
export const insertValue = async (engine: Engine, name: ValueName, value: object): Promise<void> =>
  await insertNewest(engine, name, JSON.stringify(value));

/** Makes a text the newest value of any name in the table `keys`. */
export async function insertNewest(engine: Engine, name: string, text: string): Promise<void> {
  const key = bind('String', name);
  const newest = statementOf(sql`SELECT max(precedence) AS newest FROM keys WHERE name = ${key}`);
  const [row] = await engine.rows(select(v.object({ newest: INTEGER }), newest));
  // A replica that was just added may have answered, without the earlier values. The time exceeds their numbers.
  const precedence = Math.max((row?.newest ?? 0) + 1, Date.now());
  await engine.execute(
    statementOf(sql`INSERT INTO keys
SELECT ${key}, ${bind('String', text)}, ${bind('UInt64', precedence)}`),
    { changes: 'all' },
  );
}

/** Deletes the months of the audit log that are older than `AUDIT_RETENTION`. */

import * as v from 'valibot';
import type { Engine } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { bind, plainStatement, sql, statementOf } from '../plan/sql.ts';
import { clusterNodesOf } from '../schema/cluster-nodes.ts';
import { localTable, type Topology } from '../schema/topology.ts';

const MONTH = v.object({ month: INTEGER });

/** The month that is `months` months before a date, as the number YYYYMM in UTC. */
export function monthBefore(date: Date, months: number): number {
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
  return first.getUTCFullYear() * 100 + first.getUTCMonth() + 1;
}

/** Returns the deleted months, such as `2025-01`. A month is kept until all its lines are too old. */
export async function dropExpired(
  { engine, topology }: { readonly engine: Engine; readonly topology: Topology },
  months: number,
  now: Date,
): Promise<readonly string[]> {
  const oldest = monthBefore(now, months);
  const expired = statementOf(
    sql`SELECT DISTINCT toYYYYMM(at) AS month FROM audit WHERE toYYYYMM(at) < ${bind('UInt32', oldest)} ORDER BY month`,
  );
  const rows = await engine.rows(select(MONTH, expired));
  if (rows.length === 0) return [];
  const { servers } = await clusterNodesOf(engine, topology);
  for (const { month } of rows) {
    const drop = plainStatement(
      `ALTER TABLE ${localTable(topology, 'audit')} DROP PARTITION ${month}`,
    );
    for (const server of servers) await server.execute(drop, { changes: 'nothing' });
  }
  return rows.map(
    ({ month }) => `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`,
  );
}

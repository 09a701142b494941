/**
 * Removes the rows of months that retention does not keep, on one server.
 *
 * A month that also has rows of types that are kept is written again without the removed types. Deleting the
 * rows in place would show older versions of them until every part of the month was changed.
 */

import * as v from 'valibot';
import type { AddressVisibility } from '../../contract/record/address-visibility.ts';
import { KINDS, type Kind } from '../../contract/record/kinds.ts';
import type { KeptFrom } from '../../contract/record/retention.ts';
import type { Engine } from '../../engine/engine.ts';
import { TABLE_OF } from '../../plan/report-table.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { type ClusterNodes, shardsOf } from '../cluster-nodes.ts';
import { localTable, type Topology } from '../topology.ts';
import { TRANSACTION_TABLES } from '../transaction-tables.ts';
import {
  createDraft,
  dropDraftsLike,
  fillDraft,
  type MonthDraft,
  publishDraft,
} from './month-draft.ts';

const MONTH = 'toYYYYMM(created_at)';

const quoted = (kinds: readonly Kind[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

const expired = (kept: KeptFrom): string =>
  KINDS.flatMap((kind) => {
    const first = kept[kind];
    return first === undefined ? [] : [`(type = '${kind}' AND ${MONTH} < ${first})`];
  }).join(' OR ') || 'false';

export const EXPIRED = v.object({ month: v.string(), type: v.picklist(KINDS), rows: INTEGER });

/** Rows of one kind in one month that retention removes. */
export type Expired = v.InferOutput<typeof EXPIRED>;

/**
 * How many rows retention removes from the whole database, by month and type, the oldest month first.
 *
 * Asks every server: an interrupted removal may have removed the rows of a month from some replicas only.
 */
export async function countExpired(
  nodes: ClusterNodes,
  kept: KeptFrom,
): Promise<readonly Expired[]> {
  const statement = select(
    EXPIRED,
    plainStatement(`SELECT toString(${MONTH}) AS month, toString(type) AS type, count() AS rows
FROM ${localTable(nodes.topology, TABLE_OF.admin)} FINAL WHERE ${expired(kept)} GROUP BY month, type`),
  );
  const shards = await Promise.all(
    (await shardsOf(nodes)).map(async (shard) => {
      const replicas = await Promise.all(shard.map(async (server) => await server.rows(statement)));
      return merged(replicas.flat(), Math.max);
    }),
  );
  return merged(shards.flat(), (one, other) => one + other);
}

/** One entry for each month and type, in their order. `combine` combines two numbers of rows. */
function merged(
  found: readonly Expired[],
  combine: (one: number, other: number) => number,
): readonly Expired[] {
  const byKey = Map.groupBy(found, ({ month, type }) => `${month} ${type}`);
  return [...byKey]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first === undefined
        ? []
        : [{ ...first, rows: others.reduce((sum, { rows }) => combine(sum, rows), first.rows) }],
    );
}

export interface Removal {
  readonly month: string;
  readonly removed: readonly Kind[];
  readonly topology: Topology;
  readonly addresses: AddressVisibility;
  /** A part of the names of the temporary tables of a removal. */
  readonly id: string;
}

/** The beginning of the names of drafts. A process that died may have left some. */
const PREFIX = 'retention_';

/** The drafts of a removal. The administrators' table is last: after a crash, its rows tell what is left to do. */
const drafts = ({ id, topology, addresses }: Removal): readonly MonthDraft[] =>
  TRANSACTION_TABLES.map((like, at) => ({
    draft: `${PREFIX}${id}_${at}`,
    like,
    topology,
    addresses,
  })).toReversed();

/** Writes the month again without the removed kinds. Returns the function that makes the result visible. */
export async function prepareRemoval(
  server: Engine,
  removal: Removal,
): Promise<() => Promise<void>> {
  const { month, removed } = removal;
  if (!(await hasOthers(server, removal))) return async () => await dropMonth(server, removal);
  for (const draft of drafts(removal)) {
    await createDraft(server, draft);
    await fillDraft(server, draft, month, `type NOT IN (${quoted(removed)})`);
  }
  return async () => {
    for (const draft of drafts(removal)) await publishDraft(server, draft, month);
  };
}

async function hasOthers(server: Engine, { month, removed, topology }: Removal): Promise<boolean> {
  const table = localTable(topology, TABLE_OF.admin);
  const others = plainStatement(
    `SELECT count() AS rows FROM ${table} WHERE _partition_id = '${month}' AND type NOT IN (${quoted(removed)})`,
  );
  const [found] = await server.rows(select(v.object({ rows: INTEGER }), others));
  return (found?.rows ?? 0) > 0;
}

async function dropMonth(server: Engine, { month, topology }: Removal): Promise<void> {
  for (const { table } of TRANSACTION_TABLES.toReversed()) {
    const text = `ALTER TABLE ${localTable(topology, table)} DROP PARTITION ID '${month}'`;
    await server.execute(plainStatement(text));
  }
}

/** Drops the drafts of one removal, or those of all earlier ones. */
export const dropDrafts = async (server: Engine, id = '[0-9a-f]+'): Promise<void> =>
  await dropDraftsLike(server, `${PREFIX}${id}_`);

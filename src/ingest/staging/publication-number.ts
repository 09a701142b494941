/**
 * Gives each import a number when its rows are visible: the order of the change feed.
 *
 * A reader that saw a number before a smaller one would miss the smaller one. So a process that shares a server
 * with others first announces a number, and readers read only up to it. The process later takes a number that is
 * greater than the announced one, so no reader has passed the number that it takes.
 */

import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { isExclusive } from '../../engine/engine.ts';
import { INTEGER, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { NOTICE_DELAY } from '../../reading/publication-times.ts';
import {
  INTENT_TIMEOUT,
  NOW_MICROSECONDS_SQL,
  type PublicationState,
} from '../../schema/change-tables.ts';
import { awaitReplication, type ClusterNodes } from '../../schema/cluster-nodes.ts';
import { localTable } from '../../schema/topology.ts';

/** An import or another change that gets a number in the change feed. */
export interface Publication {
  readonly id: string;
  /** 0 if the changes are not known. Readers then begin again with a list. */
  readonly batch: number;
}

/** Milliseconds for which the writer counts on its announcement. Readers ignore it after twice this time. */
const VALID_FOR = (INTENT_TIMEOUT * 1000) / 2;

/**
 * Announces a number, and returns the time of the announcement (`performance.now()`). An embedded database needs
 * no announcement, because no other process writes.
 */
export async function announceNumber(nodes: ClusterNodes, id: string): Promise<number> {
  const announced = performance.now();
  if (isExclusive(nodes.engine)) return announced;
  await insert(nodes, { id, batch: 0 }, 'intended');
  // Readers look for the announcement on any replica.
  await awaitPublications(nodes);
  return announced;
}

/**
 * Takes a number. All processes of a cluster must have noticed its announcement before.
 *
 * If the announcement is so old that readers may ignore it, another number is announced and taken.
 * Two numbers for one batch do no harm.
 */
export async function takeNumber(
  nodes: ClusterNodes,
  publication: Publication,
  announced: number,
): Promise<void> {
  await insert(nodes, publication, publication.batch === 0 ? 'restarted' : 'published');
  const isInTime = performance.now() - announced < VALID_FOR;
  if (!isInTime && !isExclusive(nodes.engine)) await publishUnderNewNumber(nodes, publication);
}

/** Announces a number. Takes one when all processes of a cluster have had time to notice the announcement. */
export async function publishUnderNewNumber(
  nodes: ClusterNodes,
  publication: Publication,
): Promise<void> {
  const announced = await announceNumber(nodes, publication.id);
  if (nodes.topology.cluster !== undefined) await delay(NOTICE_DELAY);
  await takeNumber(nodes, publication, announced);
}

/** Publishes the batches of an import or erasure again, under new numbers. Readers then get their present rows. */
export async function publishChangesAgain(nodes: ClusterNodes, id: string): Promise<void> {
  const batches = plainStatement(`SELECT DISTINCT batch FROM publications
WHERE id = '${id}' AND state = 'published' ORDER BY batch`);
  const found = await nodes.engine.rows(select(v.object({ batch: INTEGER }), batches));
  for (const { batch } of found) await publishUnderNewNumber(nodes, { id, batch });
}

const awaitPublications = async (nodes: ClusterNodes): Promise<void> =>
  await awaitReplication(nodes, [localTable(nodes.topology, 'publications')]);

async function insert(
  nodes: ClusterNodes,
  { id, batch }: Publication,
  state: PublicationState,
): Promise<void> {
  // Any replica may be asked for the earlier numbers.
  await awaitPublications(nodes);
  const next = `greatest((SELECT max(number) FROM publications) + 1, ${NOW_MICROSECONDS_SQL})`;
  await nodes.engine.execute(
    plainStatement(`INSERT INTO publications
SELECT ${next}, '${state}', ${batch}, '${id}', now64(3, 'UTC')`),
  );
}

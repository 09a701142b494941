/** Counts of rows and staging tables on each server of a cluster. */

import { expect } from 'vitest';
import type { Engine } from '../../../src/engine/engine.ts';
import { ANY_ROW, select } from '../../../src/plan/select.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { type VisibleCounts, visibleCounts } from './visible-counts.ts';

/** The counts that every server shows; fails the test if servers or replicas of a shard differ. */
export async function countsOfAll(engine: Engine): Promise<VisibleCounts> {
  const servers = engine.each();
  const shown = await Promise.all(servers.map(visibleCounts));
  const [first] = shown;
  if (first === undefined) throw new Error('There is no server.');
  expect(shown).toEqual(shown.map(() => first));
  const held = await Promise.all(
    servers.map(
      async (server) =>
        await server.rows(
          select(
            ANY_ROW,
            plainStatement(`SELECT (SELECT count() FROM transactions_local FINAL) AS admin,
  (SELECT count() FROM affiliate_transactions_local FINAL) AS affiliate`),
          ),
        ),
    ),
  );
  expect([held[1], held[3]]).toEqual([held[0], held[2]]);
  return first;
}

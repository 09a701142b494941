/**
 * Makes a staged import visible: all of it or nothing, whenever the process dies.
 *
 * A line in `imports` says that the import is complete; from then on its parts are moved, which
 * costs no copying, and whoever opens the database next finishes what a dead process began.
 */

import { command } from '../plan/sql.ts';
import type { Engine } from '../store/engine.ts';
import { dropStaging, leftStagings, type Staging } from './staging.ts';

export async function publish(engine: Engine, staging: Staging): Promise<void> {
  await engine.unobserved(async () => {
    await note(engine, staging, 'publishing');
    await movePartitions(engine, staging);
    await note(engine, staging, 'done');
  });
}

/**
 * Finishes imports that were being published and removes those that were not.
 *
 * Only those that wrote nothing for `quiet` seconds: on a server, another process may be at work.
 */
export async function recoverImports(engine: Engine, quiet = 0): Promise<void> {
  const left = await leftStagings(engine, quiet);
  if (left.length === 0) return;
  const publishing = (await engine.rows(
    command("SELECT id FROM imports FINAL WHERE state = 'publishing'"),
  )) as { id: string }[];
  for (const staging of left) {
    if (publishing.some(({ id }) => id === staging.id)) {
      await movePartitions(engine, staging);
      await note(engine, staging, 'done');
    }
    await dropStaging(engine, staging);
  }
}

async function note(engine: Engine, { id }: Staging, state: 'publishing' | 'done'): Promise<void> {
  await engine.execute(command(`INSERT INTO imports SELECT '${id}', '${state}', now64(3, 'UTC')`));
}

async function movePartitions(engine: Engine, staging: Staging): Promise<void> {
  const moves = [
    { from: staging.transactions, to: 'transactions' },
    { from: staging.affiliate, to: 'affiliate_transactions' },
  ];
  for (const { from, to } of moves) {
    const partitions = (await engine.rows(
      command(`SELECT DISTINCT partition_id FROM system.parts
WHERE database = currentDatabase() AND table = '${from}' AND active ORDER BY partition_id`),
    )) as { partition_id: string }[];
    for (const { partition_id } of partitions) {
      await engine.execute(
        command(`ALTER TABLE ${from} MOVE PARTITION ID '${partition_id}' TO TABLE ${to}`),
      );
    }
  }
}

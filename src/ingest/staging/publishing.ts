/**
 * Makes a staged import visible: all of it or nothing, whenever the process dies.
 *
 * A line in `imports` says that the import is complete; from then on its rows are added to the
 * tables, and whoever opens the database next finishes what a dead process began.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { command } from '../../plan/sql.ts';
import { NOTICE } from '../../reading/import-barrier.ts';
import { everywhere, replicated, type Site } from '../../schema/cluster-nodes.ts';
import { dropStaging, leftStagings, type Staging, stagedTables } from './staging.ts';
import { noteDepartures } from './tombstones.ts';

export async function publish(site: Site, staging: Staging): Promise<void> {
  await note(site, staging, 'publishing');
  // One server adds all months of a table at the same moment; several need the readers to wait.
  if (site.servers.length > 1) await delay(NOTICE);
  await attach(site, staging);
  await note(site, staging, 'done');
}

/**
 * Finishes imports that were being published and removes those that were not.
 *
 * Only those that wrote nothing for `quiet` seconds: on a server, another process may be at work.
 */
export async function recoverImports(site: Site, quiet = 0): Promise<void> {
  const left = await leftStagings(site, quiet);
  if (left.length === 0) return;
  const publishing = (await site.engine.rows(
    command("SELECT id FROM imports FINAL WHERE state = 'publishing'"),
  )) as { id: string }[];
  for (const staging of left) {
    if (publishing.some(({ id }) => id === staging.id)) await finish(site, staging);
    await dropStaging(site, staging);
  }
}

/** What was published since the import died may have left, or gone on, from where it goes. */
async function finish(site: Site, staging: Staging): Promise<void> {
  await noteDepartures(site, staging);
  await publish(site, staging);
}

async function note({ engine }: Site, { id }: Staging, state: 'publishing' | 'done') {
  await engine.execute(command(`INSERT INTO imports SELECT '${id}', '${state}', now64(3, 'UTC')`));
}

/** Adds the staged rows, which costs no copying. Done again, it changes nothing that is seen. */
async function attach(site: Site, staging: Staging): Promise<void> {
  const tables = stagedTables(site.layout, staging);
  for (const { table, target } of tables) {
    await everywhere(site, `ALTER TABLE ${target} ATTACH PARTITION ALL FROM ${table}`);
  }
  await replicated(
    site,
    tables.map(({ target }) => target),
  );
}

/** The servers on which a database's own tables lie, for whoever changes them. */

import { type Engine, EngineFailure } from '../engine/engine.ts';
import { command } from '../plan/sql.ts';
import type { Layout } from './topology.ts';

export interface Site {
  /** The one server that is asked, and that holds what an import needs in between. */
  readonly engine: Engine;
  /** All whose tables are changed; on one server that one alone. */
  readonly servers: readonly Engine[];
  readonly layout: Layout;
}

/**
 * The site of a database, of those servers that answer.
 *
 * On a cluster whose tables do not replicate themselves each server must answer: one that is left
 * out would never get the rows.
 */
export async function siteOf(database: Engine, layout: Layout): Promise<Site> {
  const all = database.each();
  const asked = await Promise.allSettled(all.map((server) => server.rows(command('SELECT 1'))));
  const servers = all.filter((_, at) => asked[at]?.status === 'fulfilled');
  const failed = asked.find((answer) => answer.status === 'rejected');
  const [engine] = servers;
  const needsAll = layout.cluster?.isReplicated === false;
  if (engine === undefined || (needsAll && failed !== undefined)) {
    throw new EngineFailure(`A server of the cluster does not answer: ${failed?.reason.message}`, {
      cause: failed?.reason,
    });
  }
  return { engine, servers: layout.cluster === undefined ? [engine] : servers, layout };
}

/** Waits until every replica that answers holds what was written to the others. */
export async function replicated(site: Site, tables: readonly string[]): Promise<void> {
  if (!site.layout.cluster?.isReplicated) return;
  for (const table of tables) await everywhere(site, `SYSTEM SYNC REPLICA ${table}`);
}

/** Executes a statement on every server, one after the other. */
export async function everywhere({ servers }: Site, text: string): Promise<void> {
  for (const server of servers) await server.execute(command(text));
}

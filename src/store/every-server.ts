/** Reads a table from every server of a cluster, because a replica may not have the newest rows of the others. */

import type { Engine, Reader } from '../engine/engine.ts';
import { localTable, type Topology } from '../schema/topology.ts';

/** Where the tables of tokens and links are. */
export interface TokenTables {
  readonly engine: Engine;
  readonly topology: Topology;
}

/** The rows of all servers, so a row may come several times. Throws if a server does not answer. */
export async function fromEveryServer<Row>(
  { engine, topology }: TokenTables,
  table: string,
  read: (reader: Reader, table: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const servers = topology.cluster === undefined ? [engine] : engine.each();
  const local = localTable(topology, table);
  return (await Promise.all(servers.map(async (server) => await read(server, local)))).flat();
}

/** Reads a table from every server of a cluster, because a replica may not have the newest rows of the others. */

import { type Engine, type EngineFailure, failureOf, type Reader } from '../engine/engine.ts';
import { localTable, type Topology } from '../schema/topology.ts';

/** Where the tables of tokens and links are. */
export interface TokenTables {
  readonly engine: Engine;
  readonly topology: Topology;
}

type Read<Row> = (reader: Reader, table: string) => Promise<readonly Row[]>;

/** The rows of all servers, so a row may come several times. Throws if a server does not answer. */
export async function fromEveryServer<Row>(
  place: TokenTables,
  table: string,
  read: Read<Row>,
): Promise<readonly Row[]> {
  const { rows, failure } = await fromAnsweringServers(place, table, read);
  if (failure !== undefined) throw failure;
  return rows;
}

export interface AnsweredRows<Row> {
  readonly rows: readonly Row[];
  /** Why a server did not answer. It may have rows that no other server has. */
  readonly failure: EngineFailure | undefined;
}

/** The rows of the servers that answer, so a row may come several times. */
export async function fromAnsweringServers<Row>(
  { engine, topology }: TokenTables,
  table: string,
  read: Read<Row>,
): Promise<AnsweredRows<Row>> {
  const servers = topology.cluster === undefined ? [engine] : engine.each();
  const local = localTable(topology, table);
  const asked = await Promise.allSettled(servers.map(async (server) => await read(server, local)));
  const failed = asked.find((answer) => answer.status === 'rejected');
  return {
    rows: asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    failure: failed && failureOf(failed.reason),
  };
}

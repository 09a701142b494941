/** Finds the cluster of a database: in the tables of its servers, and in their configuration. */

import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { suggestionFor } from '../contract/query/suggestion.ts';
import { type Engine, EngineFailure, isUnanswered } from '../engine/engine.ts';
import { select } from '../plan/select.ts';
import { bind, plainStatement, sql, statementOf } from '../plan/sql.ts';
import { storedTimeZone } from '../schema/migrations.ts';
import { type Cluster, ONE_SERVER, storedTopology, type Topology } from '../schema/topology.ts';
import { UserError } from '../user-error.ts';

export interface StoredDefinition {
  /** Undefined if the database has no tables yet, or its creation on a cluster was interrupted. */
  readonly topology: Topology | undefined;
  /** Undefined if the database has no tables yet. */
  readonly timeZone: string | undefined;
  /** Whether all servers that answer have its tables. */
  readonly isOnAll: boolean;
}

/** What a database is. Asks all servers, because one that was just added has no tables yet. */
export async function storedDefinition(engine: Engine): Promise<StoredDefinition> {
  const asked = await Promise.allSettled(
    engine.each().map(async (server) => ({
      topology: await storedTopology(server),
      timeZone: await storedTimeZone(server),
    })),
  );
  const answers = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const topology = agreed(
    'tables',
    answers.map((answer) => answer.topology),
  );
  const timeZone = agreed(
    'time zones',
    answers.map((answer) => answer.timeZone),
  );
  const failed = asked.find((answer) => answer.status === 'rejected');
  // A server that fails may be the one with the tables.
  if (failed !== undefined && (timeZone === undefined || isUnanswered(failed.reason))) {
    throw answers.length === 0 ? failed.reason : missingServer(failed.reason);
  }
  return { topology, timeZone, isOnAll: answers.every((answer) => answer.topology !== undefined) };
}

/** The value of the servers that have one. Throws a UserError if they have different ones. */
function agreed<Value>(what: string, values: readonly (Value | undefined)[]): Value | undefined {
  const [first, ...others] = values.filter((value) => value !== undefined);
  if (others.some((other) => !isDeepStrictEqual(other, first)))
    throw differentServers(`have different ${what}`);
  return first;
}

function missingServer(cause: unknown): unknown {
  if (!isUnanswered(cause)) return cause;
  return new UserError(
    `A server in DATABASE_URL does not answer, and a migration needs all of them: ${cause.message}`,
    'Start all servers, then type the same command again.',
    { cause },
  );
}

const differentServers = (problem: string): UserError =>
  new UserError(
    `The servers in DATABASE_URL do not belong to one database: they ${problem}.`,
    'Name only servers of one database in DATABASE_URL, then type the same command again.',
  );

/** Where the tables shall be. An existing database cannot be moved between one server and a cluster. */
export async function wantedTopology(
  engine: Engine,
  stored: StoredDefinition,
  clusterName: string | undefined,
): Promise<Topology> {
  const present = stored.topology?.cluster?.name;
  const name = clusterName ?? present;
  if (name === undefined) return oneServer(stored);
  if (present !== undefined && present !== name) {
    throw new UserError(
      `The database is spread over the cluster ${present}, not ${name}.`,
      `Omit --cluster, or run: transactions migrate --cluster ${present}`,
    );
  }
  if (stored.topology !== undefined && present === undefined) {
    throw new UserError(
      'The database has its tables on one server already.',
      'To use a cluster, name another database in DATABASE_URL, run transactions migrate --cluster NAME, and import into it.',
    );
  }
  return { cluster: await clusterNamed(engine, name) };
}

function oneServer({ topology, timeZone, isOnAll }: StoredDefinition): Topology {
  if (topology === undefined && timeZone !== undefined) {
    throw new UserError(
      'The tables of the database were not all created on its cluster, because the command was interrupted.',
      'Name the cluster again: transactions migrate --cluster NAME',
    );
  }
  if (topology !== undefined && !isOnAll) throw differentServers('do not all have its tables');
  return ONE_SERVER;
}

const REPLICA = v.object({ address: v.string(), replicates: v.number() });

type Replica = v.InferOutput<typeof REPLICA>;

/** The cluster of that name; DATABASE_URL must name all of its servers. */
export async function clusterNamed(engine: Engine, name: string): Promise<Cluster> {
  const replicas = await replicasOf(engine, name);
  if (replicas.length === 0) throw await unknownCluster(engine, name);
  checkServers(engine, name, replicas);
  const isReplicated = replicas.every(({ replicates }) => replicates === 1);
  if (isReplicated) for (const server of engine.each()) await checkMacros(server);
  return { name, isReplicated };
}

/** The ClickHouse error code for a user who lacks a right. */
const ACCESS_DENIED = 497;

/**
 * Throws if DATABASE_URL does not name all servers of the cluster. The service reads the state of each server, so it
 * would miss changes on the others. Does nothing for a user who may not read which servers there are.
 */
export async function requireNamedServers(engine: Engine, { name }: Cluster): Promise<void> {
  try {
    checkServers(engine, name, await replicasOf(engine, name));
  } catch (error) {
    if (!(error instanceof EngineFailure && error.number === ACCESS_DENIED)) throw error;
  }
}

async function replicasOf(engine: Engine, name: string): Promise<readonly Replica[]> {
  const statement =
    statementOf(sql`SELECT concat(host_name, ':', toString(port)) AS address, toUInt8(internal_replication) AS replicates
FROM system.clusters WHERE cluster = ${bind('String', name)}`);
  return await engine.rows(select(REPLICA, statement));
}

function checkServers(engine: Engine, name: string, replicas: readonly Replica[]): void {
  const named = engine.each().length;
  if (named === replicas.length) return;
  const addresses = replicas.map(({ address }) => address).join(', ');
  throw new UserError(
    `The cluster ${name} has ${replicas.length} servers (${addresses}), but DATABASE_URL names ${named}.`,
    'Name each of them in DATABASE_URL, with the port of its HTTP interface: clickhouse://user@host:8123,host2:8123/database',
  );
}

async function unknownCluster(engine: Engine, name: string): Promise<UserError> {
  const clusters = plainStatement('SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster');
  const rows = await engine.rows(select(v.object({ cluster: v.string() }), clusters));
  const known = rows.map(({ cluster }) => cluster);
  const names = known.length === 0 ? 'none' : known.join(', ');
  return new UserError(
    `The server has no cluster named ${name}. Its clusters: ${names}.${suggestionFor(name, known)}`,
    'Define the cluster under remote_servers in the configuration of each server: docs/how-to/run-on-a-cluster.md',
  );
}

/** Replicated tables need the macros `shard` and `replica` on each server. */
async function checkMacros(server: Engine): Promise<void> {
  const macros = plainStatement('SELECT macro FROM system.macros');
  const rows = await server.rows(select(v.object({ macro: v.string() }), macros));
  const missing = ['shard', 'replica'].filter((wanted) =>
    rows.every(({ macro }) => macro !== wanted),
  );
  if (missing.length === 0) return;
  throw new UserError(
    `A server of the cluster has no macro ${missing.join(' and ')}.`,
    'Give each server its shard and replica in <macros>: docs/how-to/run-on-a-cluster.md',
  );
}

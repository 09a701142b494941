/** A real cluster of two shards with two replicas each, which tests may kill and restart. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../programs/free-port.ts';
import { BACKUPS, ClickHouseServer } from './clickhouse-server.ts';
import { ServerLink } from './server-link.ts';

export const CLUSTER = 'reporting';

/** A new database, because the default database of these servers has an unusual database engine. */
const DATABASE = 'reports';

const SHARDS = 2;
const REPLICAS = 2;

/**
 * How often a start of the whole cluster is tried, each time with new ports. A server cannot change its ports alone,
 * because the others know them.
 */
const START_ATTEMPTS = 2;

interface Node {
  readonly directory: string;
  readonly config: string;
  readonly http: number;
  readonly tcp: number;
  /** The port at which the other servers reach it, through `link`. */
  readonly linked: number;
  readonly link: ServerLink;
  readonly shard: number;
}

export class ClickHouseCluster {
  readonly #nodes: readonly Node[];
  readonly #servers = new Map<Node, ClickHouseServer>();

  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
  }

  /** Tries again with other free ports if a server does not start. */
  static async start(directory: string): Promise<ClickHouseCluster> {
    const failures: unknown[] = [];
    while (failures.length < START_ATTEMPTS) {
      const cluster = new ClickHouseCluster(await nodesIn(directory));
      try {
        await cluster.#start();
        return cluster;
      } catch (error) {
        failures.push(error);
        await cluster.close();
      }
    }
    throw new AggregateError(failures, `The cluster did not start: ${failures.join('\n')}`);
  }

  async #start(): Promise<void> {
    const started = await Promise.allSettled(this.#nodes.map((_, at) => this.revive(at)));
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    const body = `CREATE DATABASE IF NOT EXISTS ${DATABASE}`;
    for (const host of this.hosts()) await fetch(`http://${host}`, { method: 'POST', body });
  }

  /** The `DATABASE_URL` of the whole cluster, or of some of its servers. */
  address(servers: readonly number[] = this.#nodes.keys().toArray()): string {
    return `clickhouse://default@${this.hosts(servers).join(',')}/${DATABASE}`;
  }

  /** The HTTP interfaces of some servers, as `host:port`. */
  hosts(servers: readonly number[] = this.#nodes.keys().toArray()): readonly string[] {
    return servers.map((at) => `127.0.0.1:${this.#node(at).http}`);
  }

  /** Kills a server, like a power cut. */
  async kill(at: number): Promise<void> {
    const node = this.#node(at);
    node.link.cut();
    await this.#servers.get(node)?.kill();
  }

  /** Freezes or resumes a server. */
  freeze(at: number, isFrozen: boolean): void {
    this.#servers.get(this.#node(at))?.freeze(isFrozen);
  }

  /** Restarts a killed server with its data. */
  async revive(at: number): Promise<void> {
    const node = this.#node(at);
    const { directory, http, tcp, config } = node;
    this.#servers.set(node, await ClickHouseServer.start(directory, http, { tcp, config }));
    await node.link.mend();
  }

  async close(): Promise<void> {
    for (const { link } of this.#nodes) link.cut();
    await Promise.all(this.#servers.values().map((server) => server.kill()));
  }

  #node(at: number): Node {
    const node = this.#nodes[at];
    if (node === undefined) throw new RangeError(`There is no server ${at}.`);
    return node;
  }
}

/** New servers with free ports, and their configurations. */
async function nodesIn(directory: string): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  for (let at = 0; at < SHARDS * REPLICAS; at += 1) {
    const [tcp, linked] = [await freePort(), await freePort()];
    nodes.push({
      directory: join(directory, `node-${at}`),
      config: join(directory, `node-${at}.xml`),
      http: await freePort(),
      tcp,
      linked,
      link: new ServerLink(linked, tcp),
      shard: Math.floor(at / REPLICAS),
    });
  }
  await mkdir(directory, { recursive: true });
  for (const node of nodes) await writeFile(node.config, configuration(nodes, node));
  return nodes;
}

/** The configuration of one server. It needs no Keeper, because the service writes to every replica. */
function configuration(nodes: readonly Node[], own: Node): string {
  const shards = Array.from({ length: SHARDS }, (_, shard) => {
    const replicas = nodes
      .filter((node) => node.shard === shard)
      .map((node) => (node === own ? node.tcp : node.linked))
      .map((port) => `<replica><host>127.0.0.1</host><port>${port}</port></replica>`);
    return `<shard><internal_replication>false</internal_replication>${replicas.join('')}</shard>`;
  });
  return `<clickhouse>${BACKUPS}<remote_servers><${CLUSTER}>${shards.join('')}</${CLUSTER}></remote_servers></clickhouse>`;
}

/** A real cluster of two shards with two replicas each, which tests may kill and restart. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUPS, ClickHouseServer, freePort } from './clickhouse-server.ts';
import { ServerLink } from './server-link.ts';

export const CLUSTER = 'reporting';

/** Uses the usual database engine, other than the default database of a server. */
const DATABASE = 'reports';

const SHARDS = 2;
const REPLICAS = 2;

interface Node {
  readonly directory: string;
  readonly config: string;
  readonly http: number;
  readonly tcp: number;
  /** The address for the other servers. */
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

  static async start(directory: string): Promise<ClickHouseCluster> {
    const nodes: Node[] = [];
    for (let at = 0; at < SHARDS * REPLICAS; at += 1) {
      const place = join(directory, `node-${at}`);
      await mkdir(place, { recursive: true });
      const tcp = await freePort();
      const linked = await freePort();
      nodes.push({
        directory: place,
        config: join(directory, `node-${at}.xml`),
        http: await freePort(),
        tcp,
        linked,
        link: await ServerLink.open(linked, tcp),
        shard: Math.floor(at / REPLICAS),
      });
    }
    for (const node of nodes) await writeFile(node.config, configuration(nodes, node));
    const cluster = new ClickHouseCluster(nodes);
    await Promise.all(nodes.map((_, at) => cluster.revive(at)));
    const body = `CREATE DATABASE IF NOT EXISTS ${DATABASE}`;
    for (const host of cluster.hosts()) await fetch(`http://${host}`, { method: 'POST', body });
    return cluster;
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

/** The configuration of one server. Without Keeper: the service writes to every replica. */
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

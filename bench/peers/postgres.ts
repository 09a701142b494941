/** Benchmark peers: PostgreSQL with the same rows and suitable indexes, behind a Node.js service. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { assertNever } from '../../src/contract/assert-never.ts';
import { STORED_FIELDS, type StoredField } from '../../src/contract/record/fields.ts';
import { freePort } from '../../test/support/programs/free-port.ts';
import { NotInstalled, type Page, type Peer } from './peer.ts';

const VERSIONS = '/usr/lib/postgresql';
const SERVICE = fileURLToPath(new URL('postgres-service.ts', import.meta.url));

/** `shared_buffers` is usually a quarter of the memory; 4 GB are enough to hold all rows. */
const SERVER_SETTINGS = ['shared_buffers=4GB', 'work_mem=256MB', 'max_wal_size=8GB', 'fsync=off'];

export interface PostgresPeers {
  readonly copy: Peer;
  readonly stream: Peer;
}

/** `rows` is a CSV file of the columns of `transactions`, with `\N` for null. */
export async function startPostgres(directory: string, rows: string): Promise<PostgresPeers> {
  const programs = await programsOf();
  const port = await freePort();
  const owner = ownerOf();
  const data = join(directory, 'postgres');
  await mkdir(data);
  if (owner !== undefined) await chown(data, owner.uid, owner.gid);
  const as = { stdio: 'ignore' as const, ...owner };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'bench', '--no-sync'], as);
  const settings = [
    ...SERVER_SETTINGS,
    `port=${port}`,
    `unix_socket_directories=${data}`,
    'listen_addresses=127.0.0.1',
  ];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    as,
  );
  const address = `postgres://bench@127.0.0.1:${port}/postgres`;
  await fill(address, rows);
  const service = spawn(process.execPath, [SERVICE, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(
    createInterface({ input: service.stdout as NodeJS.ReadableStream }),
    'line',
  )) as [string];
  const stop = async () => {
    await ended(service, 'SIGTERM');
    await ended(server, 'SIGINT');
  };
  const pageUrl = ({ of, id, first, last, limit, fields = [] }: Page) =>
    `${url}/${of}?id=${id}&first=${first}&last=${last}&limit=${limit ?? ''}&fields=${fields.join(',')}`;
  return {
    copy: {
      name: 'Node on PostgreSQL, COPY of row_to_json',
      bulkUrl: `${url}/copy`,
      pageUrl,
      stop,
    },
    stream: { name: 'Node on PostgreSQL, pg-query-stream', bulkUrl: `${url}/stream`, stop },
  };
}

async function programsOf(): Promise<string> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  if (newest === undefined) throw new NotInstalled('PostgreSQL');
  return join(VERSIONS, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
function ownerOf(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
}

function columnType({ type }: StoredField): string {
  switch (type) {
    case 'integer':
      return 'bigint';
    case 'decimal':
      return 'numeric(18, 6)';
    case 'date':
      return 'timestamp';
    case 'status':
      return 'smallint';
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      return 'text';
    default:
      return assertNever(type);
  }
}

async function fill(address: string, rows: string): Promise<void> {
  const client = await connected(address);
  const columns = STORED_FIELDS.map((field) => `${field.name} ${columnType(field)}`);
  await client.query(`CREATE TABLE transactions (type text, ${columns.join(', ')})`);
  await client.query(`COPY transactions FROM '${rows}' WITH (FORMAT csv, NULL '\\N')`);
  await client.query('CREATE INDEX ON transactions (type, created_at, transaction_id)');
  for (const column of ['publisher_id', 'program_id']) {
    await client.query(
      `CREATE INDEX ON transactions (type, ${column}, created_at, transaction_id)`,
    );
  }
  await client.query('VACUUM ANALYZE transactions');
  await client.end();
}

async function connected(address: string): Promise<pg.Client> {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client(address);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

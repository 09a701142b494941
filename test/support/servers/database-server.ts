/** Real PostgreSQL and MariaDB servers for tests, if they are installed; they listen on loopback only. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../programs/free-port.ts';
import { PROGRAM_FOLDERS, programOf } from '../programs/programs.ts';

/** The password of all users. */
export const SECRET = "p@ss:w/o'rd%";

export interface DatabaseServer {
  /** The host and the port. */
  readonly place: string;
  /** Runs statements as the owner of the database `shop`. */
  run(sql: string): string;
  /** The directory of its data, which also has the log of its queries. */
  readonly directory: string;
  stop(): Promise<void>;
}

function postgresFolders(): readonly string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return PROGRAM_FOLDERS;
  return [...readdirSync(root).map((version) => join(root, version, 'bin')), ...PROGRAM_FOLDERS];
}

const POSTGRES = ['initdb', 'postgres', 'psql'] as const;
const MARIADB = ['mariadb-install-db', 'mariadbd', 'mariadb'] as const;

/** The names of the programs that are missing for a server. */
export const missingPrograms = {
  postgres: POSTGRES.filter((name) => programOf(name, postgresFolders()) === undefined),
  mysql: MARIADB.filter((name) => programOf(name) === undefined),
};

/** The servers refuse to run as root, so root starts them as another user. */
function ownerNamed(name: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function ownedDirectory(name: string, owner: { uid?: number; gid?: number }) {
  const directory = await mkdtemp(join(tmpdir(), `source-${name}-`));
  if (owner.uid !== undefined) await chown(directory, owner.uid, owner.gid ?? owner.uid);
  return directory;
}

async function started(
  program: string,
  args: readonly string[],
  owner: { uid?: number; gid?: number },
  port: number,
) {
  const child = spawn(program, [...args], { ...owner, stdio: 'ignore' });
  const ended = once(child, 'exit');
  for (const limit = Date.now() + 120_000; Date.now() < limit; await sleep(100)) {
    const socket = createConnection(port, '127.0.0.1');
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return { child, ended };
  }
  child.kill('SIGKILL');
  throw new Error(`${program} does not answer.`);
}

export async function startPostgres(): Promise<DatabaseServer> {
  const [initdb = '', postgres = '', psql = ''] = POSTGRES.map((name) =>
    programOf(name, postgresFolders()),
  );
  const owner = ownerNamed('postgres');
  const directory = await ownedDirectory('postgres', owner);
  const passwords = join(tmpdir(), `password-${process.pid}`);
  await writeFile(passwords, `${SECRET}\n`, { mode: 0o644 });
  const flags = ['-U', 'shop', `--pwfile=${passwords}`, '-A', 'scram-sha-256', '--no-sync'];
  execFileSync(initdb, ['-D', directory, '-E', 'UTF8', ...flags], { ...owner, stdio: 'ignore' });
  await rm(passwords);
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'fsync=off'];
  const logging = ['log_statement=all', 'logging_collector=on', 'log_filename=asked.log'];
  const all = [...settings, ...logging, `unix_socket_directories=${directory}`];
  const args = ['-D', directory, ...all.flatMap((setting) => ['-c', setting])];
  const { child, ended } = await started(postgres, args, owner, port);
  const run = (sql: string, database = 'shop') =>
    execFileSync(psql, ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'shop', '-qAt', database], {
      input: `\\set ON_ERROR_STOP on\n${sql}`,
      env: { ...process.env, PGPASSWORD: SECRET },
      encoding: 'utf8',
    });
  await sleep(200);
  run('CREATE DATABASE shop', 'postgres');
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  return { place: `127.0.0.1:${port}`, run, directory, stop };
}

export async function startMariadb(): Promise<DatabaseServer> {
  const [install = '', mariadbd = '', mariadb = ''] = MARIADB.map((name) => programOf(name));
  const owner = ownerNamed('mysql');
  const directory = await ownedDirectory('mariadb', owner);
  const user = owner.uid === undefined ? [] : ['--user=mysql'];
  const plain = ['--no-defaults', `--datadir=${directory}`, ...user];
  execFileSync(install, [...plain, '--auth-root-authentication-method=normal'], {
    stdio: 'ignore',
  });
  const port = await freePort();
  const socket = join(directory, 's.sock');
  const net = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${socket}`];
  const log = ['--general-log=1', `--general-log-file=${join(directory, 'asked.log')}`];
  const { child, ended } = await started(mariadbd, [...plain, ...net, ...log], {}, port);
  const run = (sql: string, database = 'shop') =>
    execFileSync(mariadb, ['--no-defaults', '-S', socket, '-u', 'root', '-N', database], {
      input: `SET NAMES utf8mb4;\n${sql}`,
      encoding: 'utf8',
    });
  run(
    `CREATE DATABASE shop; CREATE USER shop@'127.0.0.1' IDENTIFIED BY '${SECRET.replaceAll("'", "''")}'; GRANT SELECT ON shop.* TO shop@'127.0.0.1'`,
    'mysql',
  );
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  return { place: `127.0.0.1:${port}`, run, directory, stop };
}

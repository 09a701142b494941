import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDatabaseUrl } from '../../../src/database/database-url.ts';
import { runCommand } from '../../support/programs/command.ts';
import { IS_FULL } from '../../support/run/test-extent.ts';
import { testInFull } from '../../support/run/test-in-full.ts';
import { ClickHouseServer } from '../../support/servers/clickhouse-server.ts';

/** Creates a self-signed certificate for loopback, and its key. */
const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem';

let directory: string;
/** Undefined in `npm test`, where no connection gets as far as the database. */
let server: ClickHouseServer | undefined;
let encrypted: Server;

/** Starts a server behind a TLS proxy, which replaces the secure port of the server. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-encrypted-'));
  execFileSync('openssl', CERTIFICATE.split(' '), { cwd: directory, stdio: 'ignore' });
  await mkdir(join(directory, 'server'));
  if (IS_FULL) server = await ClickHouseServer.start(join(directory, 'server'));
  const [key, cert] = await Promise.all(
    ['key.pem', 'certificate.pem'].map(async (name) => await readFile(join(directory, name))),
  );
  encrypted = createServer({ key, cert }, (socket) => {
    if (server === undefined) return void socket.on('error', () => undefined).destroy();
    const plain = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => plain.destroy()).pipe(plain);
    plain.on('error', () => socket.destroy()).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(encrypted, 'listening');
});

afterAll(async () => {
  encrypted.close();
  await server?.kill();
  await rm(directory, { recursive: true, force: true });
});

test('the scheme clickhouses uses TLS and the secure port', () => {
  expect(readDatabaseUrl('clickhouses://one@a,b:9443/reporting')).toMatchObject({
    servers: { hosts: ['https://a:8443', 'https://b:9443'], username: 'one' },
  });
});

test.each(['clickhouse://a,b,A:8123/reporting', 'clickhouses://a:9443,a:9443/reporting'])(
  'the URL %s is refused, because it names a server twice',
  (url) => {
    expect(() => readDatabaseUrl(url)).toThrow('The database URL names a server twice.');
  },
);

async function migrate(environment: Record<string, string>) {
  const { port } = encrypted.address() as AddressInfo;
  const DATABASE_URL = `clickhouses://default@127.0.0.1:${port}/default`;
  return await runCommand(['migrate'], {
    directory,
    environment: { DATABASE_URL, ...environment },
  });
}

test('a self-signed certificate is not trusted', async () => {
  const refused = await migrate({});
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('certificate') });
});

// Only in the full run. In `npm test`, the tests of clusters use servers without encryption.
testInFull('a self-signed certificate is trusted if it is configured', async () => {
  const NODE_EXTRA_CA_CERTS = join(directory, 'certificate.pem');
  expect(await migrate({ NODE_EXTRA_CA_CERTS })).toMatchObject({
    code: 0,
    errors: expect.stringContaining(
      'The time zone of this database is UTC, and it cannot be changed later. To use another one, drop the database',
    ),
  });
});

import { execFileSync } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { readNetworks } from '../../src/webhooks/sending/address-guard.ts';
import { type SendSettings, WebhookConnection } from '../../src/webhooks/sending/post-message.ts';
import { addressesIn, resolveName } from '../../src/webhooks/sending/resolve-host.ts';

const LOOPBACK = readNetworks(['127.0.0.0/8']);
const MESSAGE = { headers: { 'webhook-id': 'msg_1' }, body: Buffer.from('{}') };

const opened: WebhookConnection[] = [];

afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

function connectionTo(url: string, settings: Partial<SendSettings> = {}): WebhookConnection {
  const connection = new WebhookConnection(new URL(url), { allowed: LOOPBACK, ...settings });
  opened.push(connection);
  return connection;
}

/** Returns the port. */
async function listen(server: http.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener) => await listen(http.createServer(listener));

test('a message is posted with its headers, over one connection', async () => {
  const ports = new Set<number | undefined>();
  const port = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(request.headers['webhook-id'] === 'msg_1' ? 202 : 400).end('thanks');
  });
  const connection = connectionTo(`http://127.0.0.1:${port}/hooks`);
  for (let count = 0; count < 3; count += 1) expect(await connection.post(MESSAGE)).toBe(202);
  expect(ports.size).toBe(1);
});

test('a connection that the receiver has closed meanwhile is opened again', async () => {
  const server = http.createServer((_, response) => response.writeHead(204).end());
  const port = await listen(server);
  const connection = connectionTo(`http://127.0.0.1:${port}/`);
  expect(await connection.post(MESSAGE)).toBe(204);
  server.closeAllConnections();
  expect(await connection.post(MESSAGE)).toBe(204);
});

test('a receiver that does not answer in time fails the message', async () => {
  const port = await serve(() => undefined);
  const connection = connectionTo(`http://127.0.0.1:${port}/`, { timeout: 200 });
  await expect(connection.post(MESSAGE)).rejects.toThrow('no response within 0.2 s');
});

test('both attempts share one time limit when a connection that was kept is reset late', async () => {
  const messages: string[] = [];
  const port = await serve((request, response) => {
    messages.push(request.method ?? '');
    if (messages.length === 1) response.writeHead(204).end();
    if (messages.length === 2) setTimeout(() => request.socket.resetAndDestroy(), 2000);
  });
  const connection = connectionTo(`http://127.0.0.1:${port}/`, { timeout: 2500 });
  expect(await connection.post(MESSAGE)).toBe(204);
  const started = performance.now();
  await expect(connection.post(MESSAGE)).rejects.toThrow('no response within 2.5 s');
  expect(performance.now() - started).toBeLessThan(4400);
});

test('the status of a slow response counts before its end, and the connection is closed', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const server = http.createServer((_, response) => {
    const drip = setInterval(() => response.write('.'), 20);
    response.writeHead(202).on('close', () => {
      clearInterval(drip);
      resolve();
    });
  });
  const port = await listen(server);
  expect(await connectionTo(`http://127.0.0.1:${port}/`).post(MESSAGE)).toBe(202);
  await closed;
});

test('the status of a response counts, even if its body breaks off', async () => {
  const port = await serve((request, response) => {
    response.writeHead(200).write('.', () => request.socket.end());
  });
  expect(await connectionTo(`http://127.0.0.1:${port}/`).post(MESSAGE)).toBe(200);
});

test('a closed connection sends nothing more', async () => {
  let requests = 0;
  const port = await serve((_, response) => {
    requests += 1;
    response.end();
  });
  const connection = connectionTo(`http://127.0.0.1:${port}/`);
  connection.close();
  await expect(connection.post(MESSAGE)).rejects.toThrow('this process has closed the connection');
  expect(requests).toBe(0);
});

test('the status of an endless response counts, and the response is not read to its end', async () => {
  let written = 0;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const port = await serve((_, response) => {
    response.writeHead(200);
    const write = () => {
      written += 16_384;
      if (response.write(Buffer.alloc(16_384))) setImmediate(write);
      else response.once('drain', write);
    };
    response.on('close', resolve).on('error', () => undefined);
    write();
  });
  expect(await connectionTo(`http://127.0.0.1:${port}/`).post(MESSAGE)).toBe(200);
  await closed;
  expect(written).toBeLessThan(50_000_000);
});

test.each([
  ['bytes that are not HTTP', 'SSH-2.0-OpenSSH\r\n'],
  ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`],
  ['a connection that closes', ''],
])('%s fail the message', async (_, text) => {
  const server = http.createServer();
  server.on('connection', (socket) => socket.on('error', () => undefined).end(text));
  const port = await listen(server);
  const connection = connectionTo(`http://127.0.0.1:${port}/`, { timeout: 2000 });
  await expect(connection.post(MESSAGE)).rejects.toThrow();
});

test('a name that resolves to no allowed address is not connected to', async () => {
  let requests = 0;
  const port = await serve((_, response) => {
    requests += 1;
    response.end();
  });
  for (const addresses of [['127.0.0.1'], ['127.0.0.1', '::1', '10.0.0.1']]) {
    const settings = { allowed: [], resolve: async () => addresses };
    const connection = connectionTo(`https://example.com:${port}/`, settings);
    await expect(connection.post(MESSAGE)).rejects.toThrow('no public address');
  }
  const literal = connectionTo(`https://127.0.0.1:${port}/`, { allowed: [] });
  await expect(literal.post(MESSAGE)).rejects.toThrow('no public address');
  expect(requests).toBe(0);
});

test('a name is resolved once for a connection, which goes to the checked address', async () => {
  const port = await serve((request, response) => {
    const isNamed = request.headers.host === `rebinding.example:${port}`;
    response.writeHead(isNamed ? 204 : 400).end();
  });
  let lookups = 0;
  // A second lookup would return only a private address, which is not allowed.
  const resolve = async () => {
    lookups += 1;
    return lookups === 1 ? ['10.0.0.1', '127.0.0.1'] : ['10.0.0.1'];
  };
  const connection = connectionTo(`http://rebinding.example:${port}/`, { resolve });
  expect(await connection.post(MESSAGE)).toBe(204);
  expect(await connection.post(MESSAGE)).toBe(204);
  expect(lookups).toBe(1);
});

const failed = (code: string): PromiseRejectedResult => ({
  status: 'rejected',
  reason: Object.assign(new Error(code), { code }),
});

test('a name that does not exist has no addresses, and a lookup that times out without one fails', () => {
  const found = { status: 'fulfilled', value: ['203.0.113.7'] } as const;
  expect(addressesIn([found, failed('ETIMEOUT')])).toEqual(['203.0.113.7']);
  expect(addressesIn([failed('ENOTFOUND'), failed('ENODATA')])).toEqual([]);
  expect(() => addressesIn([failed('ENODATA'), failed('ETIMEOUT')])).toThrow('ETIMEOUT');
});

test('each lookup asks the name servers that are configured at this moment', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const resolve4 = vi.spyOn(Resolver.prototype, 'resolve4').mockResolvedValue([]);
  vi.spyOn(Resolver.prototype, 'resolve6').mockResolvedValue([]);
  for (let count = 0; count < 2; count += 1) await resolveName('receiver.example');
  // A resolver reads the configured name servers only when it is created.
  expect(new Set(resolve4.mock.contexts).size).toBe(2);
});

test('a certificate must be valid for the name and signed by a known authority', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'transactions-webhooks-'));
  onTestFinished(async () => await rm(directory, { recursive: true, force: true }));
  const create =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext subjectAltName=DNS:receiver.example -keyout key.pem -out certificate.pem';
  execFileSync('openssl', create.split(' '), { cwd: directory, stdio: 'ignore' });
  const [key, cert] = await Promise.all(
    ['key.pem', 'certificate.pem'].map(async (name) => await readFile(join(directory, name))),
  );
  if (cert === undefined) throw new Error('There is no certificate.');
  const server = https.createServer({ key, cert }, (_, response) => response.writeHead(204).end());
  const port = await listen(server);
  const resolve = async () => ['127.0.0.1'];
  const post = async (host: string, ca?: Buffer) => {
    const settings = { resolve, ...(ca === undefined ? {} : { ca }) };
    return await connectionTo(`https://${host}:${port}/`, settings).post(MESSAGE);
  };
  expect(await post('receiver.example', cert)).toBe(204);
  await expect(post('receiver.example')).rejects.toThrow('self-signed certificate');
  await expect(post('other.example', cert)).rejects.toThrow('altnames');
});

import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { guardConnections } from '../../../src/http/guards/connection-guard.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { exchange } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const PIPELINED = 16;

const live = (close = false): string =>
  `GET /health/live HTTP/1.1\r\nHost: x\r\n${close ? 'Connection: close\r\n' : ''}\r\n`;

const responsesIn = (text: string): number => text.match(/HTTP\/1\.1 200 /g)?.length ?? 0;

describe('a connection', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ settings: { requestsPerConnection: 100 } });
  });

  afterAll(async () => await service.close());

  test('may have as many requests in its pipeline as the limit allows', async () => {
    const text = await exchange(service.url, live().repeat(PIPELINED - 1) + live(true));
    expect(responsesIn(text)).toBe(PIPELINED);
  });

  test('is reset when it has sent more', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(live().repeat(1000));
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET');
  });

  test('that is reset has no further request parsed, and only the first one reaches the service', async () => {
    let handled = 0;
    const server = createServer(() => {
      handled += 1;
    });
    guardConnections(server, { pipelinedRequests: PIPELINED, requestsPerConnection: 0 });
    let parsed = 0;
    server.on('request', () => {
      parsed += 1;
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    for (const size of [1000, 4000]) {
      parsed = 0;
      handled = 0;
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(live().repeat(size));
      await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET');
      expect([parsed, handled]).toEqual([PIPELINED + 1, 1]);
    }
  });

  test('is reset before a second request begins, even if Node does not expose the parser of the socket', async () => {
    let handled = 0;
    const server = createServer(() => {
      handled += 1;
    });
    guardConnections(server, { pipelinedRequests: PIPELINED, requestsPerConnection: 0 });
    server.prependListener('request', ({ socket }) => void Reflect.set(socket, 'parser', null));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(live().repeat(1000));
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET');
    expect(handled).toBe(1);
  });

  test('closes after the maximum number of requests, also without pipelining', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let text = '';
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (responsesIn(text) < 110) socket.write(live());
    });
    socket.on('error', () => undefined).write(live());
    await closed;
    expect(responsesIn(text)).toBe(100);
    expect(text.match(/connection: close/gi)).toHaveLength(1);
  });
});

const LOOPBACKS = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

test.skipIf(!hasIpv6)('every address of localhost has the same guards as the first', async () => {
  const lookUp = dns.lookup;
  // Not every machine resolves localhost to an IPv4 and an IPv6 address.
  const both = (...call: unknown[]) => {
    const [host, options, found] = call;
    const wantsAll = typeof options === 'object' && options !== null && 'all' in options;
    if (host === 'localhost' && wantsAll && typeof found === 'function') found(null, LOOPBACKS);
    else Reflect.apply(lookUp, dns, call);
  };
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(both as typeof dns.lookup);
  const service = await startService({ host: 'localhost' }).finally(() => spy.mockRestore());
  const port = Number(new URL(service.url).port);
  for (const { address } of LOOPBACKS) {
    const flooding = connect(port, address);
    flooding.write(live().repeat(1000));
    await expect(once(flooding, 'close'), address).rejects.toThrow('ECONNRESET');
    const malformed = connect(port, address);
    malformed.write('nonsense\r\n\r\n');
    expect(await text(malformed), address).toContain('malformed_request');
  }
  const late = LOOPBACKS.map(({ address }) => connect(port, address).on('error', () => undefined));
  for (const socket of late) socket.write('GET /');
  for (const { address } of LOOPBACKS) await answerAt(port, address);
  await service.close();
  // A server that was not closed would wait a minute for the rest of the request.
  await expect
    .poll(() => late.map(({ destroyed }) => destroyed), { timeout: 10_000 })
    .toEqual([true, true]);
});

/** Sends a request to an address, so that its server has also read what came before. */
async function answerAt(port: number, address: string): Promise<void> {
  const socket = connect(port, address);
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toContain('200 OK');
}

/** The number of connections, and of requests on each of them. */
const FLOODS = fullOrShort(
  [
    { connections: 10, requests: 10_000 },
    { connections: 50, requests: 4000 },
  ],
  [{ connections: 5, requests: 2000 }],
);

const TARGETS = { 'an unknown path': '/nope', 'a large page that is not read': '/openapi.json' };

describe('a flood of pipelined requests', () => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startService();
    await insertManySales(service.database.engine, 10);
    token = await service.token({});
  });

  afterAll(async () => await service.close());

  /** A request on a new connection gets its response. */
  async function answered(path: string): Promise<void> {
    const response = await service.get(path, token);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
  }

  /** Sends `requests` requests at once and reads nothing. Resolves when the server closes the connection. */
  async function flood(target: string, requests: number): Promise<void> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests));
    await closed;
  }

  describe.each(Object.entries(TARGETS))('for %s', (_, target) => {
    test.each(FLOODS)(
      'of $connections connections with $requests each is cut, and others are served',
      async ({ connections, requests }) => {
        const floods = Array.from({ length: connections }, () => flood(target, requests));
        for (let at = 0; at < fullOrShort(10, 3); at += 1) {
          await answered('/health/live');
          await answered(`/api/admin/transactions?${MANY_SALES}&limit=10`);
        }
        await Promise.all(floods);
      },
    );
  });
});

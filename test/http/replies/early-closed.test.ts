import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { auditLines } from '../../support/requests/audit-lines.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const LIST = '/api/admin/transactions';

let service: TestService;
let token: string;
/** Resolves when the engine is asked for a list. */
let asked: PromiseWithResolvers<void>;
/** Lists wait for it before their first row. */
let gate: Promise<void>;

beforeAll(async () => {
  service = await startService({
    settings: { memoryCache: 0 },
    parts: (parts) => ({
      ...parts,
      reader: {
        rows: (statement, signal) => parts.reader.rows(statement, signal),
        async *read(statement, signal) {
          asked.resolve();
          await gate;
          yield* parts.reader.read(statement, signal);
        },
      },
    }),
  });
  token = await service.token({});
  await insertManySales(service.database.engine, 40_000);
});

beforeEach(() => {
  asked = Promise.withResolvers();
  gate = Promise.resolve();
});

afterAll(async () => await service.close());

const requestOf = (id: string, path = `${LIST}?${MANY_SALES}`): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Request-Id: ${id}\r\n\r\n`;

async function opened(bytes: string): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const logged = (id: string) =>
  service.log
    .map((text): Record<string, unknown> => JSON.parse(text))
    .filter(({ msg, req_id }) => msg === 'answered' && req_id === id)
    .map(({ status, cut }) => [status, cut]);

/** The counter of cut lists, and the counters of lists by status. */
async function counted() {
  const { body } = await service.monitoringServer.inject('/metrics');
  const sampleOf = (sample: string) => {
    const line = body.split('\n').find((text) => text.startsWith(`${sample} `));
    return Number(line?.slice(sample.length) ?? 0);
  };
  const requests = (status: number) =>
    sampleOf(`transactions_http_requests_total{route="${LIST}",status="${status}"}`);
  return {
    cut: sampleOf(`transactions_http_cut_total{route="${LIST}"}`),
    ok: requests(200),
    left: requests(499),
  };
}

/** Waits for the log line of a request, and checks that it stays the only one. */
async function expectLogged(id: string, status: number): Promise<void> {
  await expect.poll(() => logged(id)).toEqual([[status, true]]);
  await service.get('/health/live');
  expect(logged(id)).toEqual([[status, true]]);
  const lines = (await auditLines(service)).filter(({ request_id }) => request_id === id);
  expect(lines.map(({ details }) => details.outcome)).toEqual(['client_left']);
}

test('a client that leaves before the headers counts once, as one that left', async () => {
  const before = await counted();
  const opening = Promise.withResolvers<void>();
  gate = opening.promise;
  const socket = await opened(requestOf('before-headers'));
  await asked.promise;
  socket.destroy();
  await expectLogged('before-headers', 499);
  opening.resolve();
  expect(await counted()).toEqual({ cut: before.cut + 1, ok: before.ok, left: before.left + 1 });
});

test('a client that leaves in mid-stream counts once, with the status that it got', async () => {
  const before = await counted();
  const socket = await opened(requestOf('mid-stream'));
  await once(socket, 'data');
  socket.destroy();
  await expectLogged('mid-stream', 200);
  expect(await counted()).toEqual({ cut: before.cut + 1, ok: before.ok + 1, left: before.left });
});

test('each request in the pipeline of a client that leaves counts once', async () => {
  const before = await counted();
  const opening = Promise.withResolvers<void>();
  gate = opening.promise;
  const ids = ['first', 'second', 'third'];
  const socket = await opened(ids.map((id) => requestOf(id)).join(''));
  await asked.promise;
  await expect
    .poll(async () => (await service.monitoringServer.inject('/metrics')).body)
    .toMatch(/^transactions_downloads_open 3$/m);
  socket.destroy();
  for (const id of ids) await expectLogged(id, 499);
  opening.resolve();
  expect(await counted()).toEqual({ cut: before.cut + 3, ok: before.ok, left: before.left + 3 });
});

test('a complete response counts once, and is not cut', async () => {
  const before = await counted();
  const headers = { 'x-request-id': 'complete' };
  await (await service.get(`${LIST}?${MANY_SALES}&limit=1`, token, headers)).text();
  await expect.poll(() => logged('complete')).toEqual([[200, undefined]]);
  expect(await counted()).toEqual({ ...before, ok: before.ok + 1 });
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Reader } from '../../src/engine/engine.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

let service: TestService;
let statements: number;

const counted = (reader: Reader): Reader => ({
  read: (statement, signal) => {
    statements += 1;
    return reader.read(statement, signal);
  },
  rows: async (statement, signal) => {
    statements += 1;
    return await reader.rows(statement, signal);
  },
  servers: reader.servers,
  get isContended() {
    return reader.isContended === true;
  },
  get versions() {
    return reader.versions;
  },
});

beforeAll(async () => {
  service = await startService({
    settings: { concurrentDownloads: 1, memoryCache: fullOrShort(64 * 1024 * 1024, 0) },
    parts: (parts) => ({ ...parts, reader: counted(parts.reader) }),
  });
});

beforeEach(() => {
  statements = 0;
});

afterAll(async () => await service.close());

const importRows = async (...rows: FileRow[]) => await service.importText(ndjson(rows));

const affiliateOf = async (publisher: number) =>
  await service.token({ role: 'affiliate', publisherIds: [publisher] });

async function begin(token: string): Promise<string> {
  const response = await service.get('/api/affiliate/transactions/changes?type=sales', token);
  return nextOf(response);
}

const nextOf = (response: Response): string =>
  /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? '';

/** Sends a request that waits, and returns when it has arrived in the service. */
async function startWaiting(path: string, token: string) {
  const arrived = once(service.server.server, 'request');
  const response = service.get(path, token);
  await arrived;
  // Time to authenticate the request, which then waits.
  await delay(200);
  return { response };
}

test('a reader that waits gets the changes of an import, and readers of other websites wait on', async () => {
  const [mine, other] = [await affiliateOf(100), await affiliateOf(101)];
  const [first, second] = [await begin(mine), await begin(other)];
  const waiting = await startWaiting(`${first}&wait=55`, mine);
  const others = await startWaiting(`${second}&wait=1`, other);
  await importRows(fileRow({ transaction_id: 1, publisher_id: 100 }));
  const changes = (await (await waiting.response).json()) as readonly unknown[];
  expect(changes).toMatchObject([{ change: 'put', transaction: { transaction_id: 1 } }]);
  const empty = await others.response;
  expect(await empty.json()).toEqual([]);
  await importRows(fileRow({ transaction_id: 2, publisher_id: 101 }));
  const later = await service.get(nextOf(empty).replace('&wait=1', ''), other);
  expect(await later.json()).toMatchObject([{ transaction: { transaction_id: 2 } }]);
});

test('readers that wait take no download slot and run no statement', async () => {
  const token = await affiliateOf(100);
  const next = await begin(token);
  await service.get(`${next}&wait=1`, token);
  statements = 0;
  const responses = await Promise.all(
    Array.from({ length: 100 }, async () => await service.get(`${next}&wait=1`, token)),
  );
  for (const response of responses) {
    expect([response.status, await response.json()]).toEqual([200, []]);
  }
  expect(statements).toBeLessThanOrEqual(1);
});

test('a revoked token ends the waiting', async () => {
  const { token, record } = await service.operator.createToken({
    role: 'affiliate',
    publisherIds: [100],
    programIds: [],
    locale: undefined,
    name: undefined,
    expiresAt: undefined,
  });
  const next = await begin(token);
  const waiting = await startWaiting(`${next}&wait=55`, token);
  await service.operator.revokeToken(record.id);
  const response = await waiting.response;
  expect(await response.json()).toMatchObject({ code: 'token_revoked' });
});

test('a response with changes keeps its download slot until the client has read it', async () => {
  const token = await affiliateOf(500);
  const next = await begin(token);
  const long = 'x'.repeat(3000);
  await importRows(
    ...Array.from({ length: fullOrShort(8000, 4000) }, () =>
      fileRow({ publisher_id: 500, subid: long }),
    ),
  );
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  await once(socket, 'connect');
  const target = `${next}&limit=10000`;
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const status = async () => {
    const response = await service.get(target, token);
    await response.body?.cancel();
    return response.status;
  };
  // The response has begun. The system buffers only its first megabytes, so the service is still sending it.
  await once(socket, 'readable');
  expect(await status()).toBe(429);
  await delay(500);
  expect(await status()).toBe(429);
  socket.destroy();
  await expect.poll(status).toBe(200);
});

test('closing the server ends the waiting with an empty response', async () => {
  const token = await affiliateOf(100);
  const next = await begin(token);
  const waiting = await startWaiting(`${next}&wait=55`, token);
  const closing = service.server.close();
  expect(await (await waiting.response).json()).toEqual([]);
  await closing;
});

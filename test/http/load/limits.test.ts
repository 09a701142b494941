import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROLES } from '../../../src/contract/record/records.ts';
import { EngineFailure } from '../../../src/engine/engine.ts';
import { pathForms } from '../../support/attacks/attacks.ts';
import {
  databaseWithManySales,
  insertManySales,
  MANY_SALES,
} from '../../support/databases/inserted/many-sales.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { type RawAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../../support/run/test-extent.ts';

const SALES = `/api/admin/transactions?${MANY_SALES}`;
const EMPTY = SALES.replace('sales', 'leads');
const PER_MINUTE = 6;
const AT_ONCE = 2;
/** Milliseconds. `npm test` disconnects nobody, because a busy machine may be as slow as a stalled client. */
const STALL_TIMEOUT = fullOrShort(1500, 300_000);

/** Milliseconds until the slot of a download that has ended is free. */
const FREED = fullOrShort(600, 3000);

/** More rows than fit into the buffers between the service and a client that reads nothing. */
const ROWS = fullOrShort(60_000, 25_000);

const STORES = TESTED_STORES.filter((store) => store !== 'cluster');

describe.each(STORES)('on the store %s', (store) => {
  let service: TestService;
  let failure: Error | undefined;
  let sockets: Socket[] = [];

  beforeAll(async () => {
    service = await startService({
      store,
      makeEmbedded: databaseWithManySales(ROWS),
      settings: {
        memoryCache: 0,
        requestsPerMinute: PER_MINUTE,
        concurrentDownloads: AT_ONCE,
        stallTimeout: STALL_TIMEOUT / 1000,
      },
      parts: (parts) => ({
        ...parts,
        reader: {
          ...parts.reader,
          rows: async (statement) => await parts.reader.rows(statement),
          read: (...question) => {
            if (failure !== undefined) throw failure;
            return parts.reader.read(...question);
          },
        },
      }),
    });
    if (store !== 'embedded') await insertManySales(service.database.engine, ROWS);
  });

  beforeEach(() => {
    failure = undefined;
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await service.close();
  });

  const ask = async (token: string, target: string, method = 'GET'): Promise<RawAnswer> =>
    await send(service.url, { method, target, headers: [`Authorization: Bearer ${token}`] });

  const statuses = async (token: string, targets: readonly string[]): Promise<number[]> => {
    const all: number[] = [];
    for (const target of targets) all.push((await ask(token, target)).status);
    return all;
  };

  test('the headers have the limits and what remains of them', async () => {
    const token = await service.token({});
    const first = await ask(token, EMPTY);
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"requests";q=6;w=60, "downloads";q=2;qu="concurrent-requests"',
    );
    expect(first.headers.get('ratelimit')).toMatch(/^"requests";r=5;t=(60|59), "downloads";r=1$/);
    const second = await ask(token, '/api/me');
    expect(second.headers.get('ratelimit')).toMatch(/^"requests";r=4;t=\d\d$/);
    expect(second.headers.get('ratelimit-policy')).toBe(first.headers.get('ratelimit-policy'));
  });

  test('a request beyond the limit is refused with Retry-After, and requests of other tokens are not', async () => {
    const [token, other] = [await service.token({}), await service.token({})];
    expect(await statuses(token, Array(PER_MINUTE).fill(EMPTY))).toEqual(
      Array(PER_MINUTE).fill(200),
    );
    const answer = await ask(token, EMPTY);
    expectProblem(answer, 'too_many_requests');
    const wait = Number(answer.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    expect(answer.headers.get('ratelimit')).toBe(`"requests";r=0;t=${wait}`);
    expect((await ask(other, EMPTY)).status).toBe(200);
  });

  test('every request with a valid token counts, even a refused one', async () => {
    const token = await service.token({});
    const targets = ['/api/me', '/api/me?x=1', SALES, `${SALES}&x=1`];
    targets.push(EMPTY.replace('admin', 'affiliate'), '/api/admin/transactions');
    expect(await statuses(token, targets)).toEqual([200, 400, 200, 400, 403, 400]);
    expect(await statuses(token, targets)).toEqual(Array(targets.length).fill(429));
    for (const target of targets) expect((await ask(token, target, 'HEAD')).status).toBe(429);
  });

  test('no spelling of the path or the token evades the limit', async () => {
    for (const role of ROLES) {
      const token = await service.token({ role, publisherIds: [100] });
      await statuses(token, Array(PER_MINUTE).fill('/api/me'));
      for (const path of everyNth(pathForms(role), 3, ROLES.indexOf(role))) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask(token, `${path}?${MANY_SALES}`, method);
          // The page at the root is open to everyone.
          const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
          expect(isPage ? [200] : [400, 404, 429], path).toContain(answer.status);
        }
      }
      for (const scheme of ['bearer', 'BEARER', 'Bearer  ', '  Bearer']) {
        const headers = [`Authorization: ${scheme} ${token}`];
        expect((await send(service.url, { target: SALES, headers })).status).toBe(429);
      }
    }
  });

  test('a request that is refused before authentication does not count', async () => {
    const token = await service.token({});
    const { token: revoked, record } = await service.operator.createToken({
      role: 'admin',
      publisherIds: [],
      programIds: [],
    });
    await service.operator.revokeToken(record.id);
    for (let at = 0; at < 2 * PER_MINUTE; at += 1) {
      for (const wrong of [revoked, `${token}x`, 'x']) {
        const answer = await ask(wrong, EMPTY);
        expect(answer.status).toBe(401);
        expect(answer.headers.has('ratelimit')).toBe(false);
      }
      expect((await ask(token, '/nothing')).status).toBe(404);
      expect((await ask(token, EMPTY, 'POST')).status).toBe(405);
    }
    expect((await ask(token, '/api/me')).headers.get('ratelimit')).toContain('"requests";r=5');
  });

  /** A download whose client reads nothing after the beginning. */
  async function startDownload(token: string): Promise<Socket> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`GET ${SALES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const [beginning] = await once(socket, 'data');
    expect(String(beginning)).toMatch(/^HTTP\/1\.1 200/);
    socket.pause();
    return socket;
  }

  /** The number of free slots that the service reports. Counts as a request of the token. */
  async function placesLeft(token: string): Promise<number> {
    const { limits } = JSON.parse((await ask(token, '/api/me')).body);
    return limits.downloads.remaining;
  }

  /** Expects that slots are free in time. Asks at most twice, because each time counts as a request. */
  async function freeWithin(token: string, milliseconds: number, places = AT_ONCE): Promise<void> {
    const early = Math.min(300, milliseconds);
    await sleep(early);
    if ((await placesLeft(token)) === places) return;
    await sleep(milliseconds - early);
    expect(await placesLeft(token)).toBe(places);
  }

  test('a download beyond the limit is refused while others run, and downloads of other tokens are not', async () => {
    const [token, other] = [await service.token({}), await service.token({})];
    await startDownload(token);
    await startDownload(token);
    const answer = await ask(token, EMPTY);
    expectProblem(answer, 'too_many_downloads');
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.headers.get('ratelimit')).toMatch(/^"requests";r=3;t=\d\d, "downloads";r=0$/);
    expect((await ask(token, EMPTY, 'HEAD')).status).toBe(429);
    expect(await placesLeft(token)).toBe(0);
    expect((await ask(other, EMPTY)).status).toBe(200);
  });

  test('a summary counts as a download, and a 304 does not', async () => {
    const token = await service.token({});
    const summary = SALES.replace('transactions?', 'transactions/summary?');
    const tag = `If-None-Match: ${(await ask(token, EMPTY)).headers.get('etag')}`;
    await startDownload(token);
    await startDownload(token);
    expectProblem(await ask(token, summary), 'too_many_downloads');
    const headers = [`Authorization: Bearer ${token}`, tag];
    const known = await send(service.url, { target: EMPTY, headers });
    expect(known.status).toBe(304);
    expect(known.headers.get('ratelimit')).toMatch(/^"requests";r=1;t=\d\d$/);
  });

  test('a client that disconnects releases its slot', async () => {
    const token = await service.token({});
    const socket = await startDownload(token);
    await startDownload(token);
    socket.destroy();
    await freeWithin(token, FREED, 1);
    expect((await ask(token, EMPTY)).status).toBe(200);
  });

  test.runIf(IS_FULL)(
    'a client that is disconnected for reading nothing releases its slot',
    async () => {
      const token = await service.token({});
      await startDownload(token);
      await freeWithin(token, 2 * STALL_TIMEOUT + 1000);
    },
  );

  test('a complete response and a HEAD request release their slot', async () => {
    const token = await service.token({});
    for (const [target, method] of [
      [SALES, 'GET'],
      [SALES, 'HEAD'],
      [EMPTY, 'GET'],
      [`${SALES}&limit=10`, 'GET'],
    ] as const) {
      const answer = await ask(token, target, method);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit')).toContain('"downloads";r=1');
    }
    await freeWithin(token, FREED);
  });

  test('a response that fails releases its slot', async () => {
    const token = await service.token({});
    failure = new EngineFailure('Code: 47. DB::Exception: it does not work');
    expect((await ask(token, SALES)).status).toBe(500);
    expect((await ask(token, SALES)).status).toBe(500);
    failure = undefined;
    await freeWithin(token, FREED);
  });

  test('a client that pipelines requests and disconnects releases all slots', async () => {
    const token = await service.token({});
    const one = `GET ${SALES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(one + one + one);
    await once(socket, 'data');
    socket.destroy();
    await freeWithin(token, fullOrShort(4000, FREED));
  });
});

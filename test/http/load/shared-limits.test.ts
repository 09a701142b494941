import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverOf } from '../../../src/app.ts';
import { openLimits } from '../../../src/limits/open-limits.ts';
import { databaseWithManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { type RawAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';
import { REDIS, RedisServer } from '../../support/servers/redis-server.ts';

const SALES = `/api/admin/transactions?${MANY_SALES}`;
/** More than fits into the buffers between the service and a client that reads nothing. */
const ROWS = fullOrShort(60_000, 25_000);

describe.skipIf(REDIS.isMissing)('two servers with one database and one Redis', () => {
  let redis: RedisServer;
  let service: TestService;
  let second: FastifyInstance;
  const urls: string[] = [];

  beforeAll(async () => {
    redis = await RedisServer.start();
    const settings = { requestsPerMinute: 10, concurrentDownloads: 1, redisUrl: redis.url };
    service = await startService({
      makeEmbedded: databaseWithManySales(ROWS),
      settings: { ...settings, memoryCache: 0 },
      parts: (parts) => {
        const limits = openLimits(settings, parts.logger, parts.cursorKey);
        second = serverOf({ ...parts, limits });
        return parts;
      },
    });
    await second.listen({ host: '127.0.0.1', port: 0 });
    const { port } = second.server.address() as AddressInfo;
    urls.push(service.url, `http://127.0.0.1:${port}`);
  });

  afterAll(async () => {
    second.server.closeAllConnections();
    await second.close();
    await service.close();
    await redis.kill();
  });

  const ask = async (at: number, token: string, target: string): Promise<RawAnswer> =>
    await send(urls[at % 2] ?? '', { target, headers: [`Authorization: Bearer ${token}`] });

  /** A download from the first server. Its client reads the beginning, and everything else only in `rest`. */
  async function startDownload(token: string) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const lines = [`GET ${SALES} HTTP/1.1`, 'Host: x', 'Connection: close'];
    socket.write(`${lines.join('\r\n')}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const chunks: Buffer[] = [];
    const [first] = (await once(socket, 'data')) as [Buffer];
    chunks.push(first);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.pause();
    return {
      leave: () => socket.destroy(),
      async rest(): Promise<string> {
        socket.resume();
        await once(socket, 'close');
        return Buffer.concat(chunks).toString();
      },
    };
  }

  test('count the requests of a token together', async () => {
    const token = await service.token({});
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) statuses.push((await ask(at, token, '/api/me')).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  });

  test('refuse a download while the other server runs one, until its client disconnects', async () => {
    const token = await service.token({});
    const download = await startDownload(token);
    const refused = await ask(1, token, SALES);
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([429, 'too_many_downloads']);
    download.leave();
    await sleep(fullOrShort(800, 3000));
    expect((await ask(1, token, SALES)).status).toBe(200);
  });

  test('continue running downloads and accept new requests while Redis is down', async () => {
    const token = await service.token({});
    const download = await startDownload(token);
    await redis.kill();
    const other = await service.token({});
    for (const at of [0, 1]) expect((await ask(at, other, SALES)).status).toBe(200);
    expect((await ask(0, token, SALES)).status).toBe(429);
    const body = await download.rest();
    expect(body).toMatch(/^HTTP\/1\.1 200/);
    expect(body.match(/"transaction_id":/g)).toHaveLength(ROWS);
    await redis.restart();
    const back = () => service.log.filter((line) => line.includes('Redis answers')).length;
    await expect.poll(back).toBe(2);
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) statuses.push((await ask(at, other, '/api/me')).status);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect(service.log.join('')).not.toContain('r3dis-secret');
  });
});

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openLimits } from '../../src/limits/open-limits.ts';
import { openRedis, type RedisConnection } from '../../src/limits/redis-connection.ts';
import { requestLimit } from '../../src/limits/request-limit.ts';
import { SharedDownloadLimit } from '../../src/limits/shared-download-limit.ts';
import { REDIS, RedisServer } from '../support/servers/redis-server.ts';

/** Milliseconds of a lease, short enough to wait until it expires. */
const LEASE = 3000;

describe.skipIf(REDIS.isMissing)('over Redis', () => {
  let redis: RedisServer;
  const connections: RedisConnection[] = [];
  const shared: SharedDownloadLimit[] = [];
  let log: string[] = [];

  const logger: Logger = pino({ level: 'debug' }, { write: (line) => void log.push(line) });

  beforeAll(async () => {
    redis = await RedisServer.start();
  });

  afterEach(() => {
    for (const opened of [...shared.splice(0), ...connections.splice(0)]) opened.close();
    log = [];
  });

  afterAll(async () => await redis.kill());

  /** A separate connection, like that of another process. */
  async function connect(url = redis.url, database = 'one'): Promise<RedisConnection> {
    const opened = openRedis(url, logger, database);
    connections.push(opened);
    await ready(opened);
    return opened;
  }

  async function ready({ client }: RedisConnection): Promise<void> {
    for (let at = 0; at < 200 && client.status !== 'ready'; at += 1) await sleep(50);
    expect(client.status).toBe('ready');
  }

  function downloadsOver(opened: RedisConnection, limit: number): SharedDownloadLimit {
    const downloads = new SharedDownloadLimit(limit, opened, LEASE);
    shared.push(downloads);
    return downloads;
  }

  test('processes share the count of requests', async () => {
    const [one, other] = [requestLimit(2, await connect()), requestLimit(2, await connect())];
    expect(await one.remaining('a')).toEqual({ limit: 2, remaining: 2, resetSeconds: 0 });
    expect(await one.count('a')).toMatchObject({ remaining: 1, isWithin: true });
    expect(await other.count('a')).toMatchObject({ remaining: 0, isWithin: true });
    expect(await one.count('a')).toMatchObject({ isWithin: false });
    expect(await other.remaining('a')).toMatchObject({ remaining: 0 });
    expect(await other.count('b')).toMatchObject({ remaining: 1, isWithin: true });
  });

  test('processes of another database have their own counts', async () => {
    const other = await connect(redis.url, 'other');
    const [requests, others] = [requestLimit(2, await connect()), requestLimit(2, other)];
    await requests.count('same subject');
    expect(await requests.remaining('same subject')).toMatchObject({ remaining: 1 });
    expect(await others.remaining('same subject')).toMatchObject({ remaining: 2 });
    const downloads = downloadsOver(await connect(), 1);
    expect(await downloads.acquire('same subject')).toBeDefined();
    expect(await downloads.acquire('same subject')).toBeUndefined();
    expect(await downloadsOver(other, 1).acquire('same subject')).toBeDefined();
  });

  test('no key in Redis contains the secret key of a database', async () => {
    const databaseKey = randomBytes(32);
    const settings = { requestsPerMinute: 5, concurrentDownloads: 1, redisUrl: redis.url };
    const limits = openLimits(settings, logger, databaseKey);
    const again = openLimits(settings, logger, databaseKey);
    const other = openLimits(settings, logger, randomBytes(32));
    const operator = redis.client();
    await expect
      .poll(async () => {
        await limits.requests?.count('secret');
        return (await operator.keys('*secret')).length;
      })
      .toBe(1);
    const [key = ''] = await operator.keys('*secret');
    expect(key).toMatch(/^transactions:[\w-]{22}:requests:secret$/);
    for (const encoding of ['hex', 'base64url'] as const) {
      expect(databaseKey.toString(encoding)).not.toContain(key.split(':')[1]);
    }
    await expect
      .poll(async () => (await again.requests?.remaining('secret'))?.remaining)
      .not.toBe(5);
    expect(await other.requests?.remaining('secret')).toMatchObject({ remaining: 5 });
    for (const opened of [limits, again, other]) opened.close();
    operator.disconnect();
  });

  test('processes share download slots', async () => {
    const [one, other] = [downloadsOver(await connect(), 2), downloadsOver(await connect(), 2)];
    const first = await one.acquire('a');
    const second = await other.acquire('a');
    expect([first?.remaining, second?.remaining]).toEqual([1, 0]);
    expect(await one.acquire('a')).toBeUndefined();
    expect(await one.acquire('b')).toBeDefined();
    second?.release();
    second?.release();
    await expect.poll(async () => await one.remaining('a')).toEqual({ limit: 2, remaining: 1 });
    expect(await one.acquire('a')).toBeDefined();
  });

  test('a lease is renewed while its download runs', async () => {
    const connection = await connect();
    const [one, other] = [downloadsOver(connection, 1), downloadsOver(await connect(), 1)];
    const slot = await one.acquire('long');
    const expiry = async () => {
      const [, score] = await connection.client.zrange('downloads:long', '0', '0', 'WITHSCORES');
      return Number(score);
    };
    const first = await expiry();
    await expect.poll(expiry, { timeout: 10 * LEASE }).toBeGreaterThan(first);
    expect(await other.acquire('long')).toBeUndefined();
    slot?.release();
    await expect.poll(async () => await other.acquire('long')).toBeDefined();
  });

  test('the slots of a process that died are free after the lease', async () => {
    const dying = downloadsOver(await connect(), 1);
    const other = downloadsOver(await connect(), 1);
    expect(await dying.acquire('mortal')).toBeDefined();
    dying.close();
    expect(await other.acquire('mortal')).toBeUndefined();
    const remaining = async () => (await other.remaining('mortal')).remaining;
    await expect.poll(remaining, { timeout: 10 * LEASE }).toBe(1);
    expect(await other.acquire('mortal')).toBeDefined();
  });

  test('Redis keeps nothing for a principal without a running download', async () => {
    const opened = await connect();
    const downloads = downloadsOver(opened, 3);
    const slots = [await downloads.acquire('tidy'), await downloads.acquire('tidy')];
    for (const slot of slots) slot?.release();
    expect(await opened.client.exists('downloads:tidy')).toBe(0);
    await downloads.acquire('tidy');
    expect(await opened.client.pttl('downloads:tidy')).toBeGreaterThan(0);
  });

  test('while Redis is down each process counts for itself, and logs it once', async () => {
    const opened = await connect();
    const [requests, downloads] = [requestLimit(1, opened), downloadsOver(opened, 1)];
    const before = await downloads.acquire('outage');
    await redis.kill();
    expect(await requests.count('outage')).toMatchObject({ isWithin: true });
    expect(await requests.count('outage')).toMatchObject({ isWithin: false });
    expect(await requests.remaining('outage')).toMatchObject({ remaining: 0 });
    expect(await downloads.remaining('outage')).toMatchObject({ remaining: 0 });
    expect(await downloads.acquire('outage')).toBeUndefined();
    const during = await downloads.acquire('another');
    expect(during).toBeDefined();

    await redis.restart();
    await ready(opened);
    const other = downloadsOver(await connect(), 1);
    const remaining = async () => (await other.remaining('another')).remaining;
    await expect.poll(remaining, { timeout: 10 * LEASE }).toBe(0);
    expect(await other.acquire('outage')).toBeUndefined();
    expect(await other.acquire('another')).toBeUndefined();
    before?.release();
    await expect.poll(async () => await other.acquire('outage')).toBeDefined();
    const messages = log.map((line) => JSON.parse(line).msg);
    expect(messages).toEqual([
      'Redis does not answer: this process enforces its limits alone',
      'Redis answers: limits are shared again',
    ]);
  });

  test('a Redis that has become a replica counts as down, and is left once', async () => {
    const opened = await connect();
    const [requests, downloads] = [requestLimit(5, opened), downloadsOver(opened, 1)];
    const first = await opened.client.client('ID');
    const operator = redis.client();
    // A lease of another process. The replica would still count it.
    await opened.client.zadd('downloads:failover', Date.now() + 60_000, 'lease');
    const at = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(at);
    onTestFinished(() => clock.mockRestore());
    await operator.replicaof('127.0.0.1', 1);
    expect(await requests.count('failover')).toMatchObject({ remaining: 4 });
    const connection = async () => await opened.client.client('ID').catch(() => first);
    await expect.poll(connection).not.toBe(first);
    await ready(opened);
    const second = await connection();
    expect(await requests.count('failover')).toMatchObject({ remaining: 3 });
    expect(await downloads.remaining('failover')).toMatchObject({ remaining: 1 });
    expect(await connection()).toBe(second);
    expect(log).toHaveLength(1);
    await operator.replicaof('NO', 'ONE');
    operator.disconnect();
    // The difference of two fractions may be a little less than the pause.
    clock.mockReturnValue(at + 5001);
    expect(await requests.count('failover')).toMatchObject({ remaining: 4 });
    expect(log.map((line) => JSON.parse(line).msg)).toEqual([
      'Redis does not answer: this process enforces its limits alone',
      'Redis answers: limits are shared again',
    ]);
  });

  test('a Redis that does not answer is not waited for', async () => {
    const opened = await connect();
    const [requests, downloads] = [requestLimit(5, opened), downloadsOver(opened, 1)];
    redis.freeze(true);
    expect(await requests.count('silent')).toMatchObject({ isWithin: true });
    expect(await downloads.acquire('silent')).toBeDefined();
    for (let at = 0; at < 3; at += 1) {
      expect(await requests.count('silent')).toMatchObject({ isWithin: true });
    }
    redis.freeze(false);
    await ready(opened);
  });

  test('the Redis rights in the documentation are enough', async () => {
    const page = await readFile('docs/how-to/run-in-production.md', 'utf8');
    const rights = /^~transactions:.*$/m.exec(page)?.[0].split(' ') ?? [];
    const operator = redis.client();
    await operator.acl('SETUSER', 'limited', 'on', '>l1mited', 'resetkeys', ...rights);
    const opened = await connect(redis.url.replace(':r3dis-secret', 'limited:l1mited'));
    const downloads = downloadsOver(opened, 2);
    await requestLimit(9, opened).count('rights');
    const slot = await downloads.acquire('rights');
    // Limits over other connections see only what was counted in Redis, not in memory.
    const [requests, others] = [
      requestLimit(9, await connect()),
      downloadsOver(await connect(), 2),
    ];
    expect(await requests.remaining('rights')).toMatchObject({ remaining: 8 });
    expect(await others.remaining('rights')).toMatchObject({ remaining: 1 });
    expect(await requestLimit(9, opened).remaining('rights')).toMatchObject({ remaining: 8 });
    expect(await downloads.remaining('rights')).toMatchObject({ remaining: 1 });
    slot?.release();
    await expect.poll(async () => await others.remaining('rights')).toMatchObject({ remaining: 2 });
    const refusals = await operator.call('ACL', 'LOG');
    expect(refusals).toEqual([]);
    operator.disconnect();
  });

  test('a wrong Redis password is not logged, and requests are still counted', async () => {
    const url = redis.url.replace('r3dis-secret', 'wr0ng-secret');
    const opened = openRedis(url, logger, 'one');
    connections.push(opened);
    for (let at = 0; at < 100 && log.length === 0; at += 1) await sleep(20);
    expect(await requestLimit(5, opened).count('a')).toMatchObject({ isWithin: true });
    expect(log.join('')).toContain('Redis does not answer');
    expect(log.join('')).not.toContain('secret');
  });
});

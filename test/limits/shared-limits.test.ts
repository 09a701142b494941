import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { countedRequests } from '../../src/limits/counted-requests.ts';
import { openLimits } from '../../src/limits/open-limits.ts';
import { openRedis, type RedisLink } from '../../src/limits/redis-link.ts';
import { SharedDownloads } from '../../src/limits/shared-downloads.ts';
import { inFull, withinMs } from '../support/run/test-extent.ts';
import { REDIS, RedisServer } from '../support/servers/redis-server.ts';

/** Milliseconds of a lease, short enough to wait for its end. */
const LEASE = inFull(600, 1500);

describe.skipIf(REDIS.isMissing)('over Redis', () => {
  let redis: RedisServer;
  const links: RedisLink[] = [];
  const shared: SharedDownloads[] = [];
  let log: string[] = [];

  const logger: Logger = pino({ level: 'debug' }, { write: (line) => void log.push(line) });

  beforeAll(async () => {
    redis = await RedisServer.start();
  });

  afterEach(() => {
    for (const opened of [...shared.splice(0), ...links.splice(0)]) opened.close();
    log = [];
  });

  afterAll(async () => await redis.kill());

  /** A connection as each process has one. */
  async function link(url = redis.url, database = 'one'): Promise<RedisLink> {
    const opened = openRedis(url, logger, database);
    links.push(opened);
    await ready(opened);
    return opened;
  }

  async function ready({ client }: RedisLink): Promise<void> {
    for (let at = 0; at < 200 && client.status !== 'ready'; at += 1) await sleep(50);
    expect(client.status).toBe('ready');
  }

  function downloadsOver(opened: RedisLink, limit: number): SharedDownloads {
    const downloads = new SharedDownloads(limit, opened, LEASE);
    shared.push(downloads);
    return downloads;
  }

  test('processes count requests together', async () => {
    const [one, other] = [countedRequests(2, await link()), countedRequests(2, await link())];
    expect(await one.left('a')).toEqual({ limit: 2, remaining: 2, resetSeconds: 0 });
    expect(await one.count('a')).toMatchObject({ remaining: 1, isWithin: true });
    expect(await other.count('a')).toMatchObject({ remaining: 0, isWithin: true });
    expect(await one.count('a')).toMatchObject({ isWithin: false });
    expect(await other.left('a')).toMatchObject({ remaining: 0 });
    expect(await other.count('b')).toMatchObject({ remaining: 1, isWithin: true });
  });

  test('processes of another database count for themselves', async () => {
    const other = await link(redis.url, 'other');
    const [requests, others] = [countedRequests(2, await link()), countedRequests(2, other)];
    await requests.count('same subject');
    expect(await requests.left('same subject')).toMatchObject({ remaining: 1 });
    expect(await others.left('same subject')).toMatchObject({ remaining: 2 });
    const downloads = downloadsOver(await link(), 1);
    expect(await downloads.begin('same subject')).toBeDefined();
    expect(await downloads.begin('same subject')).toBeUndefined();
    expect(await downloadsOver(other, 1).begin('same subject')).toBeDefined();
  });

  test('the key of a database is in no key of Redis', async () => {
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
    await expect.poll(async () => (await again.requests?.left('secret'))?.remaining).not.toBe(5);
    expect(await other.requests?.left('secret')).toMatchObject({ remaining: 5 });
    for (const opened of [limits, again, other]) opened.close();
    operator.disconnect();
  });

  test('processes share the places of downloads', async () => {
    const [one, other] = [downloadsOver(await link(), 2), downloadsOver(await link(), 2)];
    const first = await one.begin('a');
    const second = await other.begin('a');
    expect([first?.remaining, second?.remaining]).toEqual([1, 0]);
    expect(await one.begin('a')).toBeUndefined();
    expect(await one.begin('b')).toBeDefined();
    second?.free();
    second?.free();
    await expect.poll(async () => await one.left('a')).toEqual({ limit: 2, remaining: 1 });
    expect(await one.begin('a')).toBeDefined();
  });

  test('a download keeps its place for as long as it runs', async () => {
    const [one, other] = [downloadsOver(await link(), 1), downloadsOver(await link(), 1)];
    const place = await one.begin('long');
    await sleep(3 * LEASE);
    expect(await other.begin('long')).toBeUndefined();
    place?.free();
    await expect.poll(async () => await other.begin('long')).toBeDefined();
  });

  test('the places of a process that died are free after the lease', async () => {
    const dying = downloadsOver(await link(), 1);
    const other = downloadsOver(await link(), 1);
    expect(await dying.begin('mortal')).toBeDefined();
    dying.close();
    expect(await other.begin('mortal')).toBeUndefined();
    await sleep(LEASE + 100);
    expect(await other.left('mortal')).toMatchObject({ remaining: 1 });
    expect(await other.begin('mortal')).toBeDefined();
  });

  test('nothing stays in Redis of those who have no download running', async () => {
    const opened = await link();
    const downloads = downloadsOver(opened, 3);
    const places = [await downloads.begin('tidy'), await downloads.begin('tidy')];
    for (const place of places) place?.free();
    expect(await opened.client.exists('downloads:tidy')).toBe(0);
    await downloads.begin('tidy');
    expect(await opened.client.pttl('downloads:tidy')).toBeGreaterThan(0);
  });

  test('while Redis is down each process counts for itself, and says so once', async () => {
    const opened = await link();
    const [requests, downloads] = [countedRequests(1, opened), downloadsOver(opened, 1)];
    const before = await downloads.begin('outage');
    await redis.kill();
    const started = performance.now();
    expect(await requests.count('outage')).toMatchObject({ isWithin: true });
    expect(await requests.count('outage')).toMatchObject({ isWithin: false });
    expect(await requests.left('outage')).toMatchObject({ remaining: 0 });
    expect(await downloads.left('outage')).toMatchObject({ remaining: 0 });
    expect(await downloads.begin('outage')).toBeUndefined();
    const during = await downloads.begin('another');
    expect(during).toBeDefined();
    expect(performance.now() - started).toBeLessThan(withinMs(1000));

    await redis.restart();
    await ready(opened);
    await sleep(LEASE);
    const other = downloadsOver(await link(), 1);
    expect(await other.begin('outage')).toBeUndefined();
    expect(await other.begin('another')).toBeUndefined();
    before?.free();
    await expect.poll(async () => await other.begin('outage')).toBeDefined();
    const messages = log.map((line) => JSON.parse(line).msg);
    expect(messages).toEqual([
      'Redis does not answer: this process counts for itself',
      'Redis answers: limits are shared again',
    ]);
  });

  test('a Redis that is silent delays nobody for more than a moment', async () => {
    const opened = await link();
    const [requests, downloads] = [countedRequests(5, opened), downloadsOver(opened, 1)];
    redis.freeze(true);
    const started = performance.now();
    expect(await requests.count('silent')).toMatchObject({ isWithin: true });
    expect(await downloads.begin('silent')).toBeDefined();
    expect(performance.now() - started).toBeLessThan(withinMs(2500));
    const afterwards = performance.now();
    for (let at = 0; at < 20; at += 1) await requests.count('silent');
    expect(performance.now() - afterwards).toBeLessThan(withinMs(300));
    redis.freeze(false);
    await ready(opened);
  });

  test('the rights that the page names are enough', async () => {
    const page = await readFile('docs/how-to/run-in-production.md', 'utf8');
    const rights = /^~transactions:.*$/m.exec(page)?.[0].split(' ') ?? [];
    const operator = redis.client();
    await operator.acl('SETUSER', 'limited', 'on', '>l1mited', 'resetkeys', ...rights);
    const opened = await link(redis.url.replace(':r3dis-secret', 'limited:l1mited'));
    const downloads = downloadsOver(opened, 2);
    await countedRequests(9, opened).count('rights');
    const place = await downloads.begin('rights');
    await sleep(LEASE);
    // What is counted in Redis was allowed there; in memory alone it would not be seen by others.
    const [requests, others] = [countedRequests(9, await link()), downloadsOver(await link(), 2)];
    expect(await requests.left('rights')).toMatchObject({ remaining: 8 });
    expect(await others.left('rights')).toMatchObject({ remaining: 1 });
    expect(await countedRequests(9, opened).left('rights')).toMatchObject({ remaining: 8 });
    expect(await downloads.left('rights')).toMatchObject({ remaining: 1 });
    place?.free();
    await expect.poll(async () => await others.left('rights')).toMatchObject({ remaining: 2 });
    const refusals = await operator.call('ACL', 'LOG');
    expect(refusals).toEqual([]);
    operator.disconnect();
  });

  test('a wrong password is logged without the password, and stops nothing', async () => {
    const url = redis.url.replace('r3dis-secret', 'wr0ng-secret');
    const opened = openRedis(url, logger, 'one');
    links.push(opened);
    for (let at = 0; at < 100 && log.length === 0; at += 1) await sleep(20);
    expect(await countedRequests(5, opened).count('a')).toMatchObject({ isWithin: true });
    expect(log.join('')).toContain('Redis does not answer');
    expect(log.join('')).not.toContain('secret');
  });
});

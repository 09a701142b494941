import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUERY_LIMITS } from '../../../src/engine/query-limits.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort, IS_FULL } from '../../support/run/test-extent.ts';

const ROWS = fullOrShort(200_000, 20_000);
const WEBSITES = 40;
const PAGE = 100;

/** Three times as many as the engine runs at a time. */
const DOWNLOADS = 3 * QUERY_LIMITS.list.size;

/** Bytes of each download that have arrived before the first page is requested. */
const BEGUN = 2 ** 20;

interface Download {
  readonly response: IncomingMessage;
  bytes: number;
  hasEnded: boolean;
}

const STORES = TESTED_STORES.filter((store) => store !== 'cluster');

describe.each(STORES)('on the store %s', (store) => {
  let service: TestService;
  let admin: string;

  beforeAll(async () => {
    service = await startService({ store });
    admin = await service.token({});
    await insertManySales(service.database.engine, ROWS, WEBSITES);
  });

  afterAll(async () => await service.close());

  /** A list of everything, whose client reads as fast as it can. */
  async function download(): Promise<Download> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { authorization: `Bearer ${admin}` };
    const url = `${service.url}/api/admin/transactions?${MANY_SALES}`;
    get(url, { headers, agent: false }, resolve).on('error', reject);
    const reading: Download = { response: await promise, bytes: 0, hasEnded: false };
    reading.response.on('data', (chunk: Buffer) => {
      reading.bytes += chunk.length;
    });
    reading.response.on('end', () => {
      reading.hasEnded = true;
    });
    reading.response.on('error', () => undefined);
    return reading;
  }

  /** The websites of the records on a page. */
  async function websitesOn(role: 'admin' | 'affiliate', website: number): Promise<number[]> {
    const token = role === 'admin' ? admin : await service.token({ role, publisherIds: [website] });
    const path = `/api/${role}/transactions?${MANY_SALES}&publisher_id=${website}&limit=${PAGE}`;
    const rows = (await (await service.get(path, token)).json()) as { publisher_id: number }[];
    return rows.map(({ publisher_id }) => publisher_id);
  }

  test('small pages are answered while large downloads run, before any of these ends', async () => {
    const downloads = await Promise.all(Array.from({ length: DOWNLOADS }, download));
    const hasBegun = () => downloads.every(({ bytes }) => bytes > BEGUN);
    await expect.poll(hasBegun, { interval: 5 }).toBe(true);
    for (const website of [101, 102, 103]) {
      for (const role of ['admin', 'affiliate'] as const) {
        const websites = await websitesOn(role, website);
        expect(websites).toEqual(Array.from({ length: PAGE }, () => website));
        if (IS_FULL) expect(downloads.map(({ hasEnded }) => hasEnded)).not.toContain(true);
      }
    }
    for (const { response } of downloads) response.destroy();
  });
});

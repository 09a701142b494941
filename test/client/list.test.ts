import { getEventListeners } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConnectionCut, createClient, type Fetch } from '../../client/src/index.ts';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { databaseWithManySales } from '../support/databases/inserted/many-sales.ts';
import { TESTED_STORES } from '../support/databases/tested-stores.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { expectedRecords, SAMPLE } from '../support/rows/sample-transactions.ts';
import { sampled } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';

const ROWS = 25_000;
const MANY = {
  type: 'sales',
  start_date: '2026-03-01',
  end_date: '2026-03-01',
  program_id: 10,
} as const;

const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31' } as const;

/** Records the requested URLs and the responses. */
function recordingFetch(): { fetch: Fetch; urls: URL[]; statuses: number[] } {
  const urls: URL[] = [];
  const statuses: number[] = [];
  const fetch: Fetch = async (url, init) => {
    urls.push(new URL(url));
    const response = await globalThis.fetch(url, init);
    statuses.push(response.status);
    return response;
  };
  return { fetch, urls, statuses };
}

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  const tokens = { admin: '', affiliate: '' };

  beforeAll(async () => {
    service = await startService({ store });
    await service.importText(ndjson(SAMPLE));
    tokens.admin = await service.token({});
    tokens.affiliate = await service.token({
      role: 'affiliate',
      publisherIds: [100, 101, 102, 103],
    });
  });

  afterAll(async () => await service.close());

  const clientOf = (role: 'admin' | 'affiliate') =>
    createClient({ baseUrl: service.url, token: tokens[role] });

  const readings = KINDS.flatMap((type) =>
    [1, 10_000, undefined].map((pageSize) => ({ type, pageSize })),
  );

  test.each(
    sampled(
      readings,
      ({ type }) => type,
      ({ pageSize }) => pageSize,
    ),
  )('rows of $type equal those of the API, in pages of $pageSize', async ({ type, pageSize }) => {
    const options = pageSize === undefined ? { stream: true } : { pageSize };
    const admin = clientOf('admin').admin.transactions;
    const affiliate = clientOf('affiliate').affiliate.transactions;
    expect(await Array.fromAsync(admin.list({ type, ...YEAR }, options))).toEqual(
      expectedRecords('admin', type, SAMPLE),
    );
    expect(await Array.fromAsync(affiliate.list({ type, ...YEAR }, options))).toEqual(
      expectedRecords('affiliate', type, SAMPLE),
    );
  });

  test('filters, order and fields apply to every page', async () => {
    const list = clientOf('admin').admin.transactions.list(
      {
        type: 'sales',
        ...YEAR,
        status: ['1', '2'],
        publisher_id: [101, '102', 103],
        order: 'desc',
        fields: ['created_at', 'status'],
      },
      { pageSize: 1 },
    );
    const all = expectedRecords('admin', 'sales', SAMPLE)
      .filter(({ status }) => status !== '0')
      .map(({ created_at, status }) => ({ created_at, status }))
      .reverse();
    expect(await Array.fromAsync(list)).toEqual(all);
  });

  test('several values of a free text repeat the parameter, and rows can be excluded', async () => {
    const { transactions } = clientOf('admin').admin;
    const all = await Array.fromAsync(transactions.list({ type: 'sales', ...YEAR }));
    const subids = [...new Set(all.flatMap(({ subid }) => subid ?? []))];
    const some = { type: 'sales', ...YEAR, subid: [...subids, 'a,b'] } as const;
    const others = { type: 'sales', ...YEAR, exclude_subid: subids } as const;
    const [having, lacking] = await Promise.all(
      [some, others].map(async (asked) => await Array.fromAsync(transactions.list(asked))),
    );
    expect(having).toEqual(all.filter(({ subid }) => subid !== null));
    expect(lacking).toEqual(all.filter(({ subid }) => subid === null));
  });

  test('a list that is sorted by a field is read in pages, also from an offset', async () => {
    const { transactions } = clientOf('admin').admin;
    const query = { ...YEAR, type: 'sales', sort: '-transaction_id' } as const;
    const ids: number[] = [];
    for await (const row of transactions.list(query, { pageSize: 1 })) ids.push(row.transaction_id);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect(ids.length).toBe(4);
    const page = await transactions.page({ ...query, limit: 1, offset: 1 });
    expect(page.rows.map((row) => row.transaction_id)).toEqual(ids.slice(1, 2));
    const { next } = page;
    const further = await transactions.page({ ...query, limit: 1, cursor: next });
    expect(further.rows.map((row) => row.transaction_id)).toEqual(ids.slice(2, 3));
    // @ts-expect-error A stream cannot be sorted. Without types, the service refuses it.
    const stream = transactions.list(query, { stream: true });
    await expect(stream.next()).rejects.toThrow('sort: Can only be used with limit.');
  });

  test('a page has its rows, the cursor of the next page and the total', async () => {
    const { transactions } = clientOf('admin').admin;
    const question = { type: 'sales', ...YEAR, limit: 3 } as const;
    const first = await transactions.page(question, { count: true });
    expect([first.rows.length, first.total]).toEqual([3, 4]);
    if (first.next === undefined) throw new TypeError('There is no next page.');
    const second = await transactions.page({ ...question, cursor: first.next });
    expect([second.rows.length, second.next, second.total]).toEqual([1, undefined, undefined]);
    expect([...first.rows, ...second.rows]).toEqual(expectedRecords('admin', 'sales', SAMPLE));
  });

  test('the client returns what the token may read', async () => {
    const me = await clientOf('affiliate').me();
    expect(me).toMatchObject({ role: 'affiliate', publisher_ids: [100, 101, 102, 103] });
  });

  test('a summary has the requested groups', async () => {
    const { transactions } = clientOf('admin').admin;
    const groups = await transactions.summary({
      type: ['sales', 'leads'],
      ...YEAR,
      group_by: ['type', 'status'],
    });
    const counted = groups.map(({ type, status, count }) => [type, status, count]);
    expect(counted.sort()).toEqual([
      ['leads', '0', 1],
      ['leads', '1', 1],
      ['leads', '2', 2],
      ['sales', '0', 1],
      ['sales', '1', 1],
      ['sales', '2', 2],
    ]);
    const [all] = await transactions.summary({ type: 'sales', ...YEAR });
    expect(all?.count).toBe(4);
  });

  test('performance has the requested groups in the requested order', async () => {
    const { performance } = clientOf('admin').admin;
    const [all] = await performance(YEAR);
    expect(all).toMatchObject({ sales: 4, leads: 4 });
    const groups = await performance({ ...YEAR, group_by: ['publisher_id'], sort: '-sales' });
    const sales = groups.map((group) => group.sales);
    expect(sales).toEqual(sales.toSorted((one, other) => other - one));
    const [second] = await performance({ ...YEAR, group_by: 'publisher_id', limit: 1, offset: 1 });
    expect(second?.publisher_id).toBe(101);
  });

  // Only in the full run. In `npm test`, browser.test.ts reads tags, and refusals.test.ts requests them again.
  test.runIf(IS_FULL)(
    'the tag of a list stays the same until one of its rows changes',
    async () => {
      const { fetch, statuses } = recordingFetch();
      const client = createClient({ baseUrl: service.url, token: tokens.admin, fetch });
      const { transactions } = client.admin;
      const question = { type: 'leads', start_date: '2026-09-01', end_date: '2026-09-30' } as const;
      const lead = { type: 'leads', transaction_id: 7, created_at: '2026-09-01 10:00:00' };
      await service.importText(ndjson([fileRow(lead)]));
      const known = (await transactions.tag(question)) ?? '';
      expect(known).toMatch(/^W\/"/);
      expect(await transactions.tag(question, { known })).toBe(known);
      await service.importText(
        ndjson([fileRow({ ...lead, status: 0, updated_at: '2026-09-02 00:00:00' })]),
      );
      const changed = await transactions.tag(question, { known });
      expect(changed).toMatch(/^W\/"/);
      expect(changed).not.toBe(known);
      expect(statuses).toEqual([200, 304, 200]);
    },
  );

  test('a row that changes while a list is read is placed by its new date', async () => {
    // Each reading has its own month. One import serves all, because an import into a cluster takes seconds.
    const readings = [
      { date_field: 'created_at', order: 'asc', month: '04', seen: [1, 2, 3, 4] },
      { date_field: 'updated_at', order: 'asc', month: '05', seen: [1, 2, 3, 4, 1] },
      { date_field: 'updated_at', order: 'desc', month: '06', seen: [4, 3, 2] },
    ] as const;
    const click = (month: string, at: number) => ({
      type: 'clics',
      transaction_id: Number(month) * 10 + at,
      created_at: `2026-${month}-0${at} 10:00:00`,
    });
    const rows = readings.flatMap(({ month }) => [1, 2, 3, 4].map((at) => click(month, at)));
    await service.importText(ndjson(rows.map(fileRow)));
    const { transactions } = clientOf('admin').admin;
    const lists = readings.map(({ month, date_field, order }) => {
      const days = { start_date: `2026-${month}-01`, end_date: `2026-${month}-28` };
      const question = { type: 'clics', ...days, date_field, order } as const;
      return transactions.list(question, { pageSize: 1 });
    });
    const first = await Promise.all(lists.map(async (list) => (await list.next()).value));
    const changed = readings.map(({ month }) =>
      fileRow({ ...click(month, 1), updated_at: `2026-${month}-20 10:00:00` }),
    );
    await service.importText(ndjson(changed));
    for (const [at, { month, ...reading }] of readings.entries()) {
      const others = await Array.fromAsync(lists[at] ?? []);
      const ids = [first[at], ...others].map((row) => Number(row?.transaction_id));
      const seen = ids.map((id) => id - Number(month) * 10);
      expect({ ...reading, seen }).toEqual(reading);
    }
  });

  test('an empty array of values is refused, because it does not mean all', async () => {
    const { transactions } = clientOf('admin').admin;
    const rows = Array.fromAsync(transactions.list({ type: 'sales', ...YEAR, program_id: [] }));
    await expect(rows).rejects.toMatchObject({
      code: 'invalid_parameters',
      errors: [{ parameter: 'program_id', code: 'empty' }],
    });
  });
});

describe('with many rows', () => {
  let service: TestService;
  let proxy: CuttingProxy;
  let token: string;

  beforeAll(async () => {
    service = await startService({ makeEmbedded: databaseWithManySales(ROWS) });
    token = await service.token({});
  });

  afterAll(async () => await service.close());

  beforeEach(async () => {
    proxy = await startCuttingProxy(service.url, 'GET /api/admin');
  });

  afterEach(async () => await proxy.close());

  const everyId = Array.from({ length: ROWS }, (_, at) => at);

  test('each row comes once, although the connection closes at the start, middle and end of every page', async () => {
    const cuts = fullOrShort([1, 2000, 100_000, 10, 200_000], [1, 200_000]);
    proxy.cutNext(cuts);
    const { transactions } = createClient({ baseUrl: proxy.url, token, retries: 5 }).admin;
    const ids: number[] = [];
    for await (const { transaction_id } of transactions.list(MANY)) ids.push(transaction_id);
    expect(ids).toEqual(everyId);
    expect(proxy.cuts).toBe(cuts.length);
  });

  test('a truncated stream gives complete rows, then an error', async () => {
    proxy.cutNext([300_000]);
    const { transactions } = createClient({ baseUrl: proxy.url, token }).admin;
    const ids: number[] = [];
    const reading = (async () => {
      const rows = transactions.list(MANY, { stream: true });
      for await (const { transaction_id } of rows) ids.push(transaction_id);
    })();
    await expect(reading).rejects.toBeInstanceOf(ConnectionCut);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual(everyId.slice(0, ids.length));
    expect(ids.length).toBeLessThan(ROWS);
  });

  // Only in the full run. In `npm test`, the tests above read in pages and in a stream.
  test.runIf(IS_FULL)(
    'a stream is one request, and a list in pages is one request per page',
    async () => {
      const { fetch, urls } = recordingFetch();
      const { transactions } = createClient({ baseUrl: service.url, token, fetch }).admin;
      const streamed = await Array.fromAsync(transactions.list(MANY, { stream: true }));
      expect([streamed.length, urls.length]).toEqual([ROWS, 1]);
      await Array.fromAsync(transactions.list(MANY));
      expect(urls.length).toBe(4);
    },
  );

  test.each([{ stream: true }, { pageSize: 500 }])(
    'leaving the loop cancels its requests (%j)',
    async (options) => {
      const signals: AbortSignal[] = [];
      const bodies: Response[] = [];
      const fetch: Fetch = async (url, init) => {
        if (init.signal !== null) signals.push(init.signal);
        const response = await globalThis.fetch(url, init);
        bodies.push(response);
        return response;
      };
      const { transactions } = createClient({ baseUrl: service.url, token, fetch }).admin;
      for await (const _ of transactions.list(MANY, options)) break;
      if ('stream' in options) expect(await drained(bodies[0])).toBe(0);
      else expect(signals.every(({ aborted }) => aborted)).toBe(true);
      expect(bodies.length).toBeLessThanOrEqual(2);
    },
  );

  test.each([{ stream: true }, {}])(
    'a signal stops the list with its reason (%j)',
    async (options) => {
      const stop = new AbortController();
      const { transactions } = createClient({ baseUrl: service.url, token }).admin;
      let rows = 0;
      const reading = (async () => {
        for await (const _ of transactions.list(MANY, { ...options, signal: stop.signal })) {
          rows += 1;
          if (rows === 10) stop.abort(new Error('enough'));
        }
      })();
      await expect(reading).rejects.toThrow('enough');
      // No further row, even if it has already arrived.
      expect(rows).toBe(10);
      expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
    },
  );

  test.runIf(IS_FULL)('memory stays constant in a long list', async () => {
    const { transactions } = createClient({ baseUrl: service.url, token }).admin;
    let most = 0;
    for (let round = 0; round < 4; round += 1) {
      for await (const row of transactions.list(MANY, { pageSize: 2000 })) {
        if (row.transaction_id % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
      }
    }
    expect(most).toBeLessThan(250_000_000);
  });

  test('only the cursor is taken from a link, so that a proxy with another host name works', async () => {
    const { fetch, urls } = recordingFetch();
    const elsewhere: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      const headers = new Headers(response.headers);
      const link = headers.get('link')?.replace('</', '<https://evil.example/');
      if (link !== undefined) headers.set('link', link);
      return new Response(response.body, { status: response.status, headers });
    };
    const client = createClient({ baseUrl: service.url, token, fetch: elsewhere });
    const ids = { ...MANY, fields: ['transaction_id'] } as const;
    const rows = await Array.fromAsync(client.admin.transactions.list(ids));
    expect(rows.length).toBe(ROWS);
    expect(urls.map(({ origin }) => origin)).toEqual(Array(3).fill(service.url));
  });
});

/** Counts the remaining bytes of a response. */
async function drained(response: Response | undefined): Promise<number> {
  let bytes = 0;
  for await (const chunk of response?.body ?? []) bytes += (chunk as Uint8Array).length;
  return bytes;
}

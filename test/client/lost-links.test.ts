import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type Fetch, UnexpectedResponse } from '../../client/src/node/index.ts';
import { databaseWithManySales } from '../support/databases/inserted/many-sales.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';

const ROWS = 25_000;
/** With one field only, because the tests read the whole list several times. */
const MANY = {
  type: 'sales',
  start_date: '2026-03-01',
  end_date: '2026-03-01',
  fields: ['transaction_id'],
} as const;
const FOUR = { type: 'leads', start_date: '2026-05-01', end_date: '2026-05-01' } as const;

let service: TestService;
let token: string;

const lead = (second: number) =>
  fileRow({ type: 'leads', created_at: `2026-05-01 10:00:0${second}`, subid: 'a"\r\n",\n' });

beforeAll(async () => {
  service = await startService({ makeEmbedded: databaseWithManySales(ROWS) });
  await service.importText(ndjson([0, 1, 2, 3].map(lead)));
  token = await service.token({});
});

afterAll(async () => await service.close());

/** The service behind a gateway that removes the header `Link` from some responses. */
function behindGateway(isLost: (answer: number) => boolean | Promise<boolean>) {
  const limits: (string | null)[] = [];
  const fetch: Fetch = async (url, init) => {
    limits.push(new URL(url).searchParams.get('limit'));
    const loses = await isLost(limits.length);
    const response = await globalThis.fetch(url, init);
    const headers = new Headers(response.headers);
    if (loses) headers.delete('link');
    return new Response(response.body, { status: response.status, headers });
  };
  const client = createClient({ baseUrl: service.url, token, fetch });
  return { transactions: client.admin.transactions, limits };
}

test('a page whose records are missing is requested again', async () => {
  let isCut = true;
  const fetch: Fetch = async (url, init) => {
    const { status, headers, body } = await globalThis.fetch(url, init);
    const text = isCut ? '' : body;
    isCut = false;
    return new Response(text, { status, headers });
  };
  const client = createClient({ baseUrl: service.url, token, fetch });
  const rows = await Array.fromAsync(client.admin.transactions.list(FOUR, { pageSize: 2 }));
  expect(rows).toHaveLength(4);
});

describe('with a gateway that removes every link', () => {
  const transactionsWithout = () => behindGateway(() => true).transactions;

  test.each([{}, { pageSize: 2500 }, { pageSize: 1 }])(
    'a list throws before its first row (%j)',
    async (options) => {
      const ids: number[] = [];
      const reading = (async () => {
        for await (const row of transactionsWithout().list(MANY, options))
          ids.push(row.transaction_id);
      })();
      await expect(reading).rejects.toBeInstanceOf(UnexpectedResponse);
      await expect(reading).rejects.toThrow('Link');
      expect(ids).toEqual([]);
    },
  );

  test.each(everyNth(['ndjson', 'csv'] as const, 2))(
    'a download of %s leaves no file',
    async (format) => {
      const folder = await mkdtemp(join(tmpdir(), 'client-'));
      const target = join(folder, 'sales');
      const transactions = transactionsWithout();
      const download = transactions.download({ ...MANY, format }, target);
      await expect(download).rejects.toBeInstanceOf(UnexpectedResponse);
      expect(await readdir(folder)).not.toContain('sales');
      const few = { ...FOUR, format } as const;
      const restarted = { restart: true, pageSize: 3 };
      await expect(transactions.download(few, target, restarted)).rejects.toThrow('Link');
      await rm(folder, { recursive: true });
    },
  );

  test('a page before the last one is never taken for the last', async () => {
    await expect(transactionsWithout().page({ ...FOUR, limit: 3 })).rejects.toThrow('Link');
    const { rows, next } = await transactionsWithout().page({ ...FOUR, limit: 4 });
    expect([rows.length, next]).toEqual([4, undefined]);
  });

  test('a list of one page is complete', async () => {
    expect((await Array.fromAsync(transactionsWithout().list(FOUR))).length).toBe(4);
  });
});

test.each(everyNth([1, 2], 2, 1))(
  'page %i is requested again if its link is missing once',
  async (lost) => {
    const { transactions } = behindGateway((answer) => answer === lost);
    const ids: number[] = [];
    for await (const row of transactions.list(MANY)) ids.push(row.transaction_id);
    expect(ids).toEqual(Array.from({ length: ROWS }, (_, at) => at));
  },
);

test('the last page may be full at the maximum page size', async () => {
  const { transactions, limits } = behindGateway(() => false);
  const { next } = await transactions.page({ ...MANY, limit: 5000 });
  if (next === undefined) throw new TypeError('There is no next page.');
  const page = await transactions.page({ ...MANY, limit: 10_000, cursor: next });
  if (page.next === undefined) throw new TypeError('There is no last page.');
  const last = await transactions.page({ ...MANY, limit: 10_000, cursor: page.next });
  expect([last.rows.length, last.next]).toEqual([10_000, undefined]);
  expect(limits).toEqual(['5000', '10000', '10000', '9999', '2']);
});

test('a list that ends with a full page is complete, without duplicates', async () => {
  const { transactions, limits } = behindGateway(() => false);
  const ids: number[] = [];
  for await (const row of transactions.list(MANY, { pageSize: 6250 })) {
    ids.push(row.transaction_id);
  }
  expect(ids).toEqual(Array.from({ length: ROWS }, (_, at) => at));
  expect(limits).toEqual(['6250', '6250', '6250', '6250', '6251']);
});

test('a file that ends with a full page is complete, also with line breaks in its values', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  const { transactions, limits } = behindGateway(() => false);
  const whole = await service.get(
    `/api/admin/transactions?${new URLSearchParams(FOUR)}&format=csv`,
    token,
  );
  const question = { ...FOUR, format: 'csv' } as const;
  await transactions.download(question, join(folder, 'leads'), { pageSize: 2 });
  expect(await readFile(join(folder, 'leads'), 'utf8')).toBe(await whole.text());
  expect(limits).toEqual(['2', '2', '3']);
  await rm(folder, { recursive: true });
});

test('a row that is added during the check for more rows does not count as a missing link', async () => {
  const { transactions } = behindGateway(async (answer) => {
    if (answer === 3) await service.importText(ndjson([lead(4)]));
    return false;
  });
  const rows = await Array.fromAsync(transactions.list(FOUR, { pageSize: 2 }));
  expect(rows.map(({ created_at }) => created_at.slice(-1))).toEqual(['0', '1', '2', '3', '4']);
});

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AdminTransaction,
  type ClientOptions,
  type CopyStore,
  createClient,
  type Fetch,
  type Retry,
  Unreachable,
} from '../../client/src/index.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token({});
});

afterAll(async () => await service.close());

const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: service.url, token, ...options }).admin.transactions;

const imported = async (...rows: readonly FileRow[]) => await service.importText(ndjson(rows));

const TYPES = { type: ['sales', 'leads'] } as const;

/** A copy in memory, by identifier. */
class MemoryCopy implements CopyStore<'admin'> {
  readonly rows = new Map<number, AdminTransaction>();
  after: string | undefined;
  replaced = 0;

  async position() {
    return this.after;
  }

  replace: CopyStore<'admin'>['replace'] = async (rows, after) => {
    this.rows.clear();
    for await (const { transaction } of rows)
      this.rows.set(transaction.transaction_id, transaction);
    this.after = after;
    this.replaced += 1;
  };

  apply: CopyStore<'admin'>['apply'] = async (changes, after) => {
    for (const change of changes) {
      if (change.change === 'put')
        this.rows.set(change.transaction.transaction_id, change.transaction);
      if (change.change === 'gone') this.rows.delete(change.transaction_id);
    }
    this.after = after;
  };

  get statuses() {
    const sorted = [...this.rows.values()].sort((a, b) => a.transaction_id - b.transaction_id);
    return sorted.map(({ status }) => status);
  }
}

test('without a position, the first page has the current position and no changes', async () => {
  await imported(fileRow({ transaction_id: 1 }));
  const pages = await Array.fromAsync(clientWith().changes({ type: 'sales' }, { once: true }));
  expect(pages).toEqual([{ changes: [], after: expect.any(String) }]);
  const after = pages[0]?.after ?? '';
  await imported(fileRow({ transaction_id: 2 }), fileRow({ transaction_id: 3 }));
  const later = await Array.fromAsync(
    clientWith().changes({ type: 'sales', after, limit: 1 }, { once: true }),
  );
  expect(later.map(({ changes }) => changes.length)).toEqual([1, 1]);
  expect(later[0]?.changes[0]).toMatchObject({ change: 'put', transaction: { transaction_id: 2 } });
});

test('the position moves past changes of other transactions, so that it does not expire', async () => {
  const leads = async (after?: string) =>
    await Array.fromAsync(clientWith().changes({ type: 'leads', after }, { once: true }));
  const [start] = await leads();
  await imported(fileRow({ transaction_id: 4 }));
  const pages = await leads(start?.after);
  expect(pages).toEqual([{ changes: [], after: expect.any(String) }]);
  expect(pages[0]?.after).not.toBe(start?.after);
  expect(await leads(pages[0]?.after)).toEqual([]);
});

test('a loop waits for changes, goes on after cut connections, and ends when its signal is aborted', async () => {
  const proxy = await startCuttingProxy(service.url, 'transactions/changes');
  const retries: Retry[] = [];
  const end = new AbortController();
  const client = clientWith({
    baseUrl: proxy.url,
    retries: 0,
    onRetry: (retry) => retries.push(retry),
  });
  const seen: (number | string)[] = [];
  const reading = async () => {
    for await (const { changes } of client.changes(TYPES, { signal: end.signal })) {
      if (changes.length === 0) {
        proxy.cutNext([10, 10]);
        await imported(fileRow({ transaction_id: 11 }));
      }
      for (const change of changes) {
        if (change.change === 'put') seen.push(change.transaction.transaction_id);
      }
      if (seen.length > 0) end.abort(new Error('enough'));
    }
  };
  await expect(reading()).rejects.toThrow('enough');
  await proxy.close();
  expect(seen).toEqual([11]);
  expect([proxy.cuts, retries.length]).toEqual([2, 2]);
});

test('with once, the reading fails if the service is lost after the first page', async () => {
  const [start] = await Array.fromAsync(clientWith().changes({ type: 'sales' }, { once: true }));
  await imported(fileRow({ transaction_id: 13 }));
  let asked = 0;
  const fetch: Fetch = async (url, init) => {
    asked += 1;
    if (asked > 1) throw new TypeError('fetch failed');
    return await globalThis.fetch(url, init);
  };
  const client = clientWith({ fetch, retries: 1 });
  const pages = client.changes({ type: 'sales', after: start?.after }, { once: true });
  await expect(Array.fromAsync(pages)).rejects.toBeInstanceOf(Unreachable);
  expect(asked).toBe(3);
});

test('a timeout that is shorter than the wait for changes does not end the wait', async () => {
  const pages = await Array.fromAsync(clientWith().changes({ type: 'sales' }, { once: true }));
  await imported(fileRow({ transaction_id: 12 }));
  const fetch: Fetch = async (url, init) => {
    await delay(300, undefined, init.signal === null ? {} : { signal: init.signal });
    return await globalThis.fetch(url, init);
  };
  const client = clientWith({ timeout: 0.2, retries: 1, fetch });
  for await (const { changes } of client.changes({ type: 'sales', after: pages[0]?.after })) {
    expect(changes.length).toBe(1);
    break;
  }
});

test('a copy is filled once and then kept up to date, also after a restart', async () => {
  const sale = (transaction_id: number, status: number, type = 'sales') =>
    fileRow({
      type,
      transaction_id,
      status,
      validation_date: status === 1 ? '2026-02-01 00:00:00' : null,
      updated_at: `2026-02-0${3 - status} 00:00:00`,
    });
  await imported(sale(101, 2), sale(102, 2), sale(103, 2, 'leads'));
  const copy = new MemoryCopy();
  await clientWith().sync(copy, TYPES, { once: true });
  expect(copy.statuses.slice(-3)).toEqual(['2', '2', '2']);
  await imported(sale(101, 1), sale(103, 0, 'leads'));
  await clientWith().sync(copy, TYPES, { once: true });
  expect([copy.replaced, copy.statuses.slice(-3)]).toEqual([1, ['1', '2', '0']]);
});

test('a copy has the transactions of the last day that can be stored', async () => {
  await imported(fileRow({ transaction_id: 201, created_at: '2106-02-07T06:28:14Z' }));
  const copy = new MemoryCopy();
  await clientWith().sync(copy, TYPES, { once: true });
  expect(copy.rows.has(201)).toBe(true);
});

test('a copy whose position is too old is filled again', async () => {
  const copy = new MemoryCopy();
  await clientWith().sync(copy, TYPES, { once: true });
  const rows = copy.rows.size;
  copy.rows.clear();
  let isExpired = true;
  const fetch: Fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    if (!isExpired || !url.includes('after=')) return response;
    isExpired = false;
    const problem = {
      type: '/problems/changes-expired',
      title: '',
      status: 410,
      detail: '',
      code: 'changes_expired',
      request_id: 'x',
    };
    const headers = { 'content-type': 'application/problem+json' };
    return new Response(JSON.stringify(problem), { status: 410, headers });
  };
  await clientWith({ fetch }).sync(copy, TYPES, { once: true });
  expect([copy.replaced, copy.rows.size]).toEqual([2, rows]);
});

import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as Client from '../../client/src/index.ts';
import { insertManySales } from '../support/databases/inserted/many-sales.ts';
import { type ClientUser, installClient } from '../support/programs/packed-client.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { openBrowser } from '../support/servers/browser.ts';

/** Globals of the page, for the functions that run in it. */
declare global {
  var reporting: typeof Client;
  var openFile: (name: string) => Promise<PageFile>;
}

interface PageFile {
  createWritable(): Promise<WritableStream<Uint8Array>>;
  getFile(): Promise<Blob>;
}

const PAGE = `<title>A dashboard</title>
<script type="module">
import * as reporting from '/dist/index.js';
globalThis.reporting = reporting;
globalThis.openFile = async (name) =>
  await (await navigator.storage.getDirectory()).getFileHandle(name, { create: true });
</script>`;

const ROWS = 12_000;

let user: ClientUser;
let pages: Server;
let service: TestService;
let browser: Browser;
let page: Page;
let given: { readonly baseUrl: string; readonly token: string };
let origin: string;

/** Serves a page of another origin, and the modules of the client. */
async function servePages(): Promise<string> {
  const installed = join(user.folder, 'node_modules/transactions-reporting-client');
  pages = createServer(async (request, response) => {
    const isModule = request.url?.endsWith('.js') ?? false;
    response.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html' });
    response.end(isModule ? await readFile(join(installed, request.url ?? '')) : PAGE);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => pages.once('listening', resolve));
  return `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  user = await installClient();
  origin = await servePages();
  service = await startService({ settings: { corsOrigins: [origin] } });
  await insertManySales(service.database.engine, ROWS);
  given = {
    baseUrl: service.url,
    token: await service.token({ locale: 'en' }),
  };
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(origin);
});

afterAll(async () => {
  await browser.close();
  pages.close();
  await Promise.all([user.remove(), service.close()]);
});

test.each([false, true])(
  'a page of another origin lists every row (stream: %s)',
  async (stream) => {
    const ids = await page.evaluate(
      async ({ baseUrl, token, stream }) => {
        const day = { start_date: '2026-03-01', end_date: '2026-03-01' };
        const rows = globalThis.reporting
          .createClient({ baseUrl, token })
          .admin.transactions.list(
            { type: 'sales', ...day, fields: ['transaction_id'] },
            { stream, pageSize: 5000 },
          );
        const seen: number[] = [];
        for await (const row of rows) seen.push(row.transaction_id);
        return seen;
      },
      { ...given, stream },
    );
    expect(ids).toEqual(Array.from({ length: ROWS }, (_, at) => at));
  },
);

test('a page of another origin reads pages, counts, summaries, tags, its access and problems', async () => {
  const seen = await page.evaluate(async ({ baseUrl, token }) => {
    const { ApiProblem, createClient } = globalThis.reporting;
    const client = createClient({ baseUrl, token });
    const sales = { type: 'sales', start_date: '2026-03-01', end_date: '2026-03-01' } as const;
    const { transactions } = client.admin;
    const { next, total } = await transactions.page({ ...sales, limit: 5 }, { count: true });
    const [sum] = await transactions.summary(sales);
    const known = (await transactions.tag(sales)) ?? '';
    const isSame = known !== '' && (await transactions.tag(sales, { known })) === known;
    const { role } = await client.me();
    const refused = await client.affiliate.transactions.summary(sales).catch((error) => error);
    const code = refused instanceof ApiProblem ? [refused.code, refused.requestId] : [];
    return { hasNext: next !== undefined, total, count: sum?.count, isSame, role, code };
  }, given);
  expect(seen).toEqual({
    hasNext: true,
    total: ROWS,
    count: ROWS,
    isSame: true,
    role: 'admin',
    code: ['wrong_role', expect.stringMatching(/^[\w.-]+$/)],
  });
});

test('a page of another origin downloads to a file in the browser', async () => {
  const { bytes, size } = await page.evaluate(async ({ baseUrl, token }) => {
    const file = await globalThis.openFile('sales.csv');
    const sales = { type: 'sales', start_date: '2026-03-01', end_date: '2026-03-01' } as const;
    const { transactions } = globalThis.reporting.createClient({ baseUrl, token }).admin;
    const target = await file.createWritable();
    const options = { pageSize: 5000 };
    const { bytes } = await transactions.download({ ...sales, format: 'csv' }, target, options);
    return { bytes, size: (await file.getFile()).size };
  }, given);
  expect(size).toBe(bytes);
  const day = 'start_date=2026-03-01&end_date=2026-03-01';
  const path = `/api/admin/transactions?type=sales&${day}&format=csv`;
  const answer = await service.get(path, given.token);
  expect((await answer.arrayBuffer()).byteLength).toBe(size);
});

test('a page of an origin that is not allowed cannot reach the service', async () => {
  const stranger = await browser.newPage();
  // The same server under another host name is another origin.
  await stranger.goto(origin.replace('127.0.0.1', 'localhost'));
  const name = await stranger.evaluate(async ({ baseUrl, token }) => {
    return await globalThis.reporting
      .createClient({ baseUrl, token, retries: 0 })
      .me()
      .catch((error) => error.name);
  }, given);
  expect(name).toBe('Unreachable');
});

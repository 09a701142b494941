import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '../../../src/contract/problems/problems.ts';
import type { EndResponse } from '../../../src/http/sending/respond-until-end.ts';
import type { ListPlan } from '../../../src/plan/list-plan.ts';
import type { Page } from '../../../src/reading/pages/page.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const ROWS = 3000;
const REQUESTS = 6;

let service: TestService;
/** The pages whose memory was released, each as often as it happened. */
const released: Page[] = [];
/** Ends the access of the last request. */
let endAccess: EndResponse = () => undefined;
/** Called after a page was read from memory, and before it is sent. */
let beforeSending = async (): Promise<void> => undefined;

beforeAll(async () => {
  service = await startService({
    parts: (parts) => ({
      ...parts,
      accessWatch: {
        watch: (_, end) => {
          endAccess = end;
          return () => undefined;
        },
      },
    }),
  });
  await insertManySales(service.database.engine, ROWS);
  const { monthCache } = service;
  if (monthCache === undefined) throw new Error('The service has no month cache.');
  await monthCache.settled();
  const read = monthCache.page.bind(monthCache);
  // Instead of another page, bytes that no response contains are written into released memory.
  monthCache.page = async (plan: ListPlan) => {
    const page = await read(plan);
    if (page === undefined) return undefined;
    await beforeSending();
    const release = () => {
      released.push(page);
      page.bytes.fill(0);
    };
    return { ...page, release };
  };
});

afterAll(async () => await service.close());

const headersOf = async () => ({
  authorization: `Bearer ${await service.token({})}`,
  'accept-encoding': 'identity',
});

/** The responses to requests that are sent at once, read in small steps with pauses between them. */
async function readSlowly(targets: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const { authorization } = await headersOf();
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const requests = targets.map((target, at) => {
    const last = at === targets.length - 1 ? 'Connection: close\r\n' : '';
    return `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n${last}\r\n`;
  });
  socket.write(requests.join(''));
  let text = '';
  for await (const piece of socket) {
    text += piece;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return text;
}

test.each([
  ['whole records', ''],
  ['few fields, which are copied', '&fields=transaction_id'],
  ['CSV, which is copied', '&format=csv'],
])('the memory of a page is released only when its bytes have been sent (%s)', async (_, more) => {
  const target = `/api/admin/transactions?${MANY_SALES}&limit=${ROWS - 1}${more}`;
  const response = await fetch(service.url + target, { headers: await headersOf() });
  const expected = await response.text();
  expect(expected.length).toBeGreaterThan(ROWS);
  released.length = 0;
  const text = await readSlowly(Array.from({ length: REQUESTS }, () => target));
  expect(text.split(expected)).toHaveLength(REQUESTS + 1);
  expect(text).not.toContain('\0');
  await expect.poll(() => released.length).toBe(REQUESTS);
  expect(new Set(released).size).toBe(REQUESTS);
});

test.each([
  ['a page', `?${MANY_SALES}&limit=10`],
  ['one transaction', '/sales/7'],
])('%s from memory is not sent if access has ended meanwhile', async (_, path) => {
  beforeSending = async () => endAccess(new Problem('token_revoked'));
  const target = `${service.url}/api/admin/transactions${path}`;
  const response = await fetch(target, { headers: await headersOf() });
  beforeSending = async () => undefined;
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: 'token_revoked' });
});

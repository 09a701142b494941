import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIST_PARAMETER_NAMES, LIST_PARAMETERS } from '../../../src/contract/query/parameters.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { auditLines, lineOf } from '../../support/requests/audit-lines.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const SALES = `transaction_id,program_id,publisher_id,support_id,status,clickid,created_at,updated_at
1,12,345,7,2,c0ffee,2026-01-15 10:00:00,2026-01-15 10:00:00
2,12,346,7,2,"two
lines",2026-01-16 10:00:00,2026-01-16 10:00:00
`;

const JANUARY = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = await startService();
  await service.importText(SALES, 'sales');
  admin = await service.token({});
});

afterAll(async () => await service.close());

let requests = 0;

/** Sends a request and reads the whole response. Returns it, and the request's line in the audit log. */
async function detailsOf(path: string, token = admin, headers: Record<string, string> = {}) {
  requests += 1;
  const id = `request-${requests}`;
  const response = await service.get(path, token, { ...headers, 'x-request-id': id });
  await response.arrayBuffer();
  return { line: await lineOf(service, id), response };
}

test.each([
  ['the whole list', '', 2],
  ['a page', '&limit=1', 1],
  ['CSV with a line break in a value', '&format=csv', 2],
  ['NDJSON', '&format=ndjson', 2],
  ['another date', '&date_field=updated_at', 2],
  ['a page of a file', '&format=parquet&limit=1', 1],
  ['a whole file', '&format=parquet', null],
  ['nothing', '&status=0', 0],
])('the rows of %s are counted', async (_, parameters, rows) => {
  const { line } = await detailsOf(`/api/admin/transactions?${JANUARY}${parameters}`);
  expect(line.details).toMatchObject({ outcome: 'complete', rows });
});

test('the line of performance has its order, its page and all types', async () => {
  const { type: _, ...period } = Object.fromEntries(new URLSearchParams(JANUARY));
  const query = new URLSearchParams({ ...period, group_by: 'subid', sort: '-sales', limit: '2' });
  const path = `/api/admin/performance?${query}&offset=1`;
  const { line } = await detailsOf(path);
  expect(line.details).toMatchObject({
    question: {
      report: 'performance',
      types: KINDS,
      group_by: ['subid'],
      sort: '-sales',
      limit: 2,
      is_later_page: true,
    },
    rows: 0,
  });
});

test.each([
  ['', false],
  ['&offset=0', false],
  ['&offset=1', true],
])(
  'the line of a sorted list has its order and, with the offset "%s", whether its page is a later one',
  async (offset, isLater) => {
    const path = `/api/admin/transactions?${JANUARY}&sort=-clickid&limit=1`;
    const { line, response } = await detailsOf(path + offset);
    const question = { report: 'list', sort: '-clickid', order: 'asc', limit: 1 };
    expect(line.details).toMatchObject({
      question: { ...question, is_later_page: isLater },
      rows: 1,
    });
    const next = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
    expect(next === undefined).toBe(isLater);
    if (next === undefined) return;
    const later = await detailsOf(next);
    expect(later.line.details).toMatchObject({ question: { ...question, is_later_page: true } });
    // The cursor contains a value of a record, which must not be in the log.
    const cursor = new URL(next, service.url).searchParams.get('cursor') ?? '';
    expect(JSON.stringify(later.line)).not.toContain(cursor);
  },
);

test('the line of a summary has its groupings, and the number of its groups', async () => {
  const { line } = await detailsOf(
    `/api/admin/transactions/summary?${JANUARY}&group_by=publisher_id`,
  );
  expect(line.details).toMatchObject({
    question: { report: 'summary', group_by: ['publisher_id'] },
    rows: 2,
  });
});

test('the line of a response that the client already had has no rows', async () => {
  const list = `/api/admin/transactions?${JANUARY}`;
  const { response } = await detailsOf(list);
  const { line } = await detailsOf(list, admin, {
    'if-none-match': response.headers.get('etag') ?? '',
  });
  expect(line.details).toMatchObject({ outcome: 'not_modified', status: 304, rows: 0 });
});

test('the line of a refused report has the question and the reason for the refusal', async () => {
  const affiliate = await service.token({ role: 'affiliate', publisherIds: [345] });
  const { line } = await detailsOf(
    `/api/affiliate/transactions?${JANUARY}&publisher_id=346`,
    affiliate,
  );
  expect(line.details).toMatchObject({
    question: { publisher_ids: [346] },
    outcome: 'refused',
    status: 403,
    code: 'publisher_forbidden',
    rows: 0,
  });
});

test('a client that disconnects midway is distinguished from a complete response', async () => {
  const rows = fullOrShort(60_000, 20_000);
  await insertManySales(service.database.engine, rows);
  const leaving = request(`${service.url}/api/admin/transactions?${MANY_SALES}`, {
    headers: { authorization: `Bearer ${admin}`, 'x-request-id': 'leaving' },
  });
  leaving.on('error', () => undefined);
  leaving.on('response', (response) => response.once('data', () => leaving.destroy()));
  leaving.end();
  const { details } = await lineOf(service, 'leaving');
  expect(details).toMatchObject({ outcome: 'client_left', status: 200 });
  expect(details.rows).toBeGreaterThan(0);
  expect(details.rows).toBeLessThan(rows);
});

test('no line holds a token, a cursor or the value of a personal filter', async () => {
  const secret = 'Sup3rSecret';
  const page = await service.get(`/api/admin/transactions?${JANUARY}&limit=1`, admin);
  await page.text();
  const cursor = /cursor=([\w-]+)/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  expect(cursor).not.toBe('');
  const path = '/api/admin/transactions';
  await detailsOf(`${path}?${JANUARY}&limit=1&cursor=${cursor}`);
  for (const name of ['clickid', 'subid', 'device_type'])
    await detailsOf(`${path}?${JANUARY}&${name}=${secret}${admin}`);
  await detailsOf(`${path}?${JANUARY}&transaction_id=987654321`);
  await detailsOf(`${path}?${JANUARY}&${admin}=1`);
  await detailsOf(`${path}?${JANUARY}`, `${admin}x`);
  const text = JSON.stringify(await auditLines(service));
  for (const hidden of [secret, admin, cursor, '987654321']) expect(text).not.toContain(hidden);
});

test('a line break in a value that clients choose does not start another line', async () => {
  service.audit.record(
    { event: 'service_stopped', details: {} },
    {
      principal: 'a\n{"event":"forged"}\u2028',
      name: '\r\n\u0000',
      role: null,
      client: null,
      request_id: 'forged',
    },
  );
  const line = await lineOf(service, 'forged');
  expect(line).toMatchObject({
    event: 'service_stopped',
    principal: 'a\n{"event":"forged"}\u2028',
  });
  expect((await auditLines(service)).some(({ event }) => event === 'forged')).toBe(false);
});

/** Parameters that select the format. It is not in `question`, but in another property of the line. */
const NOT_KEPT = ['csv', 'format'];

test('every parameter of a list is in the question', async () => {
  const base = { type: 'sales', start_date: '2026-01-01', end_date: '2026-01-31' };
  const questionTo = async (parameters: Record<string, string>) => {
    const { line } = await detailsOf(`/api/admin/transactions?${new URLSearchParams(parameters)}`);
    return JSON.stringify(line.details.question);
  };
  const page = await service.get(`/api/admin/transactions?${JANUARY}&limit=1`, admin);
  await page.text();
  const cursor = /cursor=([\w-]+)/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  const plain = await questionTo(base);
  for (const name of LIST_PARAMETER_NAMES.filter((one) => !NOT_KEPT.includes(one))) {
    const other = { type: 'leads', start_date: '2026-01-02', end_date: '2026-01-30', cursor };
    const value = name in other ? other[name as keyof typeof other] : LIST_PARAMETERS[name].example;
    expect(await questionTo({ ...base, [name]: value }), name).not.toBe(plain);
  }
});

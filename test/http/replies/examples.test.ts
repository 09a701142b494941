import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  EXAMPLE_ENTRIES,
  EXAMPLE_GROUP_BY,
  EXAMPLE_GROUPS,
  EXAMPLE_ME,
  EXAMPLE_PERFORMANCE,
  EXAMPLE_PERFORMANCE_GROUP_BY,
  EXAMPLE_QUERY,
  EXAMPLE_RECORDS,
} from '../../../src/contract/openapi/examples.ts';
import { exampleProblem } from '../../../src/contract/problems/problem-body.ts';
import { LISTED_DIRECTORIES } from '../../../src/contract/record/directory.ts';
import { ROLES } from '../../../src/contract/record/records.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

/** The import file from which the documented examples follow. */
const FILE = `transaction_id,program_id,publisher_id,support_id,invoice_id,payment_id,remu_program,remu_publisher,ip_address,pid,clickid,subid,orderid,userid,target,amount,coupon,share,share_label,first_click,last_click,first_referer,last_referer,country,device_type,device_os,browser,referer,status,validation_date,created_at,updated_at
481516,12,345,7,INV-2026-77,P-2026-118,12.5,9.75,203.0.113.7,spring,c0ffee,newsletter,90210,4711,basket,149.9,WINTER10,1,last click,2026-01-12 09:00:00,2026-01-15 12:30:01,https://blog.example/shoes,https://blog.example/boots,FR,mobile,Android,Firefox,https://blog.example/boots,1,2026-01-29 08:00:00,2026-01-15 12:34:56,2026-01-29 08:00:00
`;

/** Transactions of the other types in the same program. Only the example of performance shows them. */
const OTHER_KINDS = [
  { type: 'impressions', total: 2000 },
  { type: 'clics', total: 40 },
  { type: 'dbclicks', total: 2 },
  { type: 'leads', remu_program: 5, remu_publisher: 4 },
].map((values) => fileRow({ program_id: 12, publisher_id: 345, ...values }));

const query = new URLSearchParams(EXAMPLE_QUERY);

let service: TestService;
const tokens = { admin: '', affiliate: '' };

beforeAll(async () => {
  const { requests, downloads } = EXAMPLE_ME.limits;
  service = await startService({
    settings: {
      requestsPerMinute: requests?.limit ?? 0,
      concurrentDownloads: downloads?.limit ?? 0,
      currency: EXAMPLE_ME.currency ?? undefined,
    },
  });
  await service.importText(FILE, EXAMPLE_QUERY.type);
  await insertRows(service.database, OTHER_KINDS);
  for (const role of ROLES) {
    const publisherIds = role === 'affiliate' ? [345] : [];
    const expiresAt = new Date(EXAMPLE_ME.expires_at ?? '');
    const name = EXAMPLE_ME.name ?? undefined;
    tokens[role] = await service.token({ role, publisherIds, locale: 'en', name, expiresAt });
  }
});

afterAll(async () => await service.close());

describe.each(ROLES)('for the %s', (role) => {
  test('the example of a list equals the response of the service', async () => {
    const path = `/api/${role}/transactions?${query}`;
    const response = await service.get(path, tokens[role]);
    const records: object[] = JSON.parse(await response.text());
    expect(records).toEqual(EXAMPLE_RECORDS[role]);
    for (const [at, record] of EXAMPLE_RECORDS[role].entries()) {
      expect(Object.keys(record)).toEqual(Object.keys(records[at] ?? {}));
    }
  });

  test('the example of a summary equals the response of the service', async () => {
    const path = `/api/${role}/transactions/summary?${query}&group_by=${EXAMPLE_GROUP_BY}`;
    const response = await service.get(path, tokens[role]);
    const groups: object[] = JSON.parse(await response.text());
    expect(groups.map((group) => Object.entries(group))).toEqual(
      EXAMPLE_GROUPS[role].map((group) => Object.entries(group)),
    );
  });

  test('the example of performance equals the response of the service', async () => {
    const { start_date, end_date } = EXAMPLE_QUERY;
    const asked = { start_date, end_date, group_by: EXAMPLE_PERFORMANCE_GROUP_BY };
    const path = `/api/${role}/performance?${new URLSearchParams(asked)}`;
    const records: object[] = JSON.parse(await (await service.get(path, tokens[role])).text());
    expect(records.map((record) => Object.entries(record))).toEqual(
      EXAMPLE_PERFORMANCE[role].map((record) => Object.entries(record)),
    );
  });
});

test.each(LISTED_DIRECTORIES)(
  'the example of %s equals the response of the service',
  async (of) => {
    const path = join(await mkdtemp(join(tmpdir(), 'transactions-examples-')), 'names.csv');
    const names = EXAMPLE_ENTRIES[of].map((entry) => {
      const [id, name, url, status, category] = Object.values(entry);
      return [id, name, url ?? '', status ?? '', category ?? ''].join(',');
    });
    await writeFile(path, ['id,name,url,status,category', ...names, ''].join('\n'));
    const files = [{ path, name: 'names.csv' }];
    await service.operator.importDirectory({ of, files, replace: false }, {});
    for (const role of ROLES) {
      const response = await service.get(`/api/${role}/${of}`, tokens[role]);
      expect(await response.json()).toEqual(EXAMPLE_ENTRIES[of]);
    }
  },
);

test('the example of the access of a token equals the response of the service', async () => {
  // A new token, because the example shows the limits at the first request of a token.
  const publisherIds = EXAMPLE_ME.publisher_ids === 'all' ? [] : EXAMPLE_ME.publisher_ids;
  const expiresAt = new Date(EXAMPLE_ME.expires_at ?? '');
  const name = EXAMPLE_ME.name ?? undefined;
  const order = { role: 'affiliate', publisherIds, locale: 'en', name, expiresAt } as const;
  const token = await service.token(order);
  expect(await (await service.get('/api/me', token)).json()).toEqual(EXAMPLE_ME);
});

test('the example of invalid parameters equals the response of the service', async () => {
  const path = '/api/admin/transactions?typ=sales&start_date=2026-01-01&end_date=2026-01-31';
  const headers = { 'x-request-id': exampleProblem('invalid_parameters', '').request_id };
  const problem = await (await service.get(path, tokens.admin, headers)).json();
  expect(problem).toEqual(exampleProblem('invalid_parameters', ''));
});

test('the example of a missing token equals the response of the service', async () => {
  const headers = { 'x-request-id': exampleProblem('token_missing', '').request_id };
  const response = await service.get(`/api/admin/transactions?${query}`, undefined, headers);
  expect(await response.json()).toEqual(exampleProblem('token_missing', ''));
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutSlashes } from '../../../src/http/guards/path-hint.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

/** Looks like the paths of the API. */
const BASE = '/api/v1';
const QUERY = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';
const LIST = `${BASE}/api/affiliate/transactions`;

let service: TestService;
let affiliate: string;

beforeAll(async () => {
  service = await startService({ basePath: BASE });
  affiliate = await service.token({ role: 'affiliate', publisherIds: [100, 101] });
});

afterAll(async () => await service.close());

async function detailOf(path: string, token?: string, headers?: Record<string, string>) {
  const response = await service.get(path, token, headers);
  const { detail } = (await response.json()) as { detail: string };
  return detail;
}

test.each([
  [`${LIST}/`, LIST],
  [`${LIST.toUpperCase()}//`, LIST],
  ['/api/affiliate/transactions', LIST],
  [`${BASE}/API/me`, `${BASE}/api/me`],
])('the path %s is answered with the right one', async (path, right) => {
  expect(await detailOf(`${path}?${QUERY}`)).toContain(`Did you mean "${right}"?`);
});

test.each([
  ['/a/b', '/a/b'],
  ['/a//b//', '/a//b'],
  ['///', ''],
  ['', ''],
])('without the slashes at its end, %j is %j', (path, short) => {
  expect(withoutSlashes(path)).toBe(short);
});

test('a path of thousands of slashes costs no more than any other', () => {
  const path = `${'/'.repeat(8000)}x`;
  const durations = Array.from({ length: 5 }, () => {
    const start = performance.now();
    expect(withoutSlashes(path)).toBe(path);
    return performance.now() - start;
  });
  // A search that begins at each slash takes about 80 ms.
  expect(Math.min(...durations)).toBeLessThan(20);
});

test('an unknown path gets no suggestion', async () => {
  expect(await detailOf(`${BASE}/api/nothing`)).not.toContain('Did you mean');
});

test.each(['/1001', '/purchases/1001', '/1001/'])(
  'the refusal of the path %s below a list says what the path of a transaction looks like',
  async (path) => {
    const right = `A transaction has the path ${LIST}/{type}/{transaction_id}.`;
    expect(await detailOf(`${LIST}${path}`)).toContain(right);
  },
);

test('a token of the other role is told the path for its own role', async () => {
  const path = `${BASE}/api/admin/transactions/summary?${QUERY}`;
  expect(await detailOf(path, affiliate)).toContain(
    `The token has the role affiliate: use ${LIST}/summary.`,
  );
});

test('a token in the URL is refused with the reason, and is not repeated', async () => {
  const detail = await detailOf(`${LIST}?${QUERY}&access_token=${affiliate}`);
  expect(detail).toContain('A token in the URL is not used');
  expect(detail).not.toContain(affiliate);
});

test('if only some of the queried websites belong to the token, those are named', async () => {
  const path = `${LIST}?${QUERY}&publisher_id=999,100,101`;
  const detail = await detailOf(path, affiliate);
  expect(detail).toContain('the token may read only 100, 101.');
  expect(detail).not.toContain('999');
});

test('if no queried website belongs to the token, the refusal points to /api/me', async () => {
  const detail = await detailOf(`${LIST}?${QUERY}&publisher_id=999`, affiliate);
  expect(detail).toContain('…/api/me lists what the token may read.');
});

test('a refused format names all formats, and a refused coding all codings', async () => {
  const path = `${LIST}?${QUERY}`;
  const formats = await detailOf(path, affiliate, { accept: 'image/png' });
  expect(formats).toContain('application/json, application/x-ndjson, text/csv');
  const codings = await detailOf(path, affiliate, { 'accept-encoding': '*;q=0' });
  expect(codings).toContain('zstd, br, gzip, identity');
});

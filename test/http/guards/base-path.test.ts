import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { expectProblem } from '../../support/requests/expect-problem.ts';
import { exchange, readAnswer, send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';
const BASE = '/reporting/v1';

let service: TestService;
let headers: readonly string[];

beforeAll(async () => {
  service = await startService({ basePath: BASE });
  await insertRows(service.database, [fileRow({})]);
  headers = [`Authorization: Bearer ${await service.token({})}`];
});

afterAll(async () => await service.close());

test.each([`/api/admin/transactions?${QUESTION}`, '/health/live', '/health/ready'])(
  '%s is found below the base path and nowhere else',
  async (path) => {
    expect((await send(service.url, { target: BASE + path, headers })).status).toBe(200);
    for (const target of [
      path,
      `/reporting${path}`,
      `${BASE}${BASE}${path}`,
      `${BASE}/v1${path}`,
    ]) {
      expectProblem(await send(service.url, { target, headers }), 'not_found', BASE);
    }
  },
);

test('methods are refused below the base path', async () => {
  const request = { method: 'POST', target: `${BASE}/api/admin/transactions` };
  expectProblem(await send(service.url, request), 'method_not_allowed', BASE);
});

test('problems have their type below the base path, even those of malformed requests', async () => {
  const target = `${BASE}/api/admin/transactions`;
  expectProblem(await send(service.url, { target }), 'token_missing', BASE);
  expectProblem(await send(service.url, { target, headers }), 'invalid_parameters', BASE);
  expectProblem(
    readAnswer(await exchange(service.url, 'nonsense\r\n\r\n')),
    'malformed_request',
    BASE,
  );
});

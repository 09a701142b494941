import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

const LIST = `/api/admin/transactions?${MANY_SALES}`;

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token({});
  await insertManySales(service.database.engine, 300);
});

afterAll(async () => await service.close());

test.each([
  ['of a page', 'GET', `${LIST}&limit=2`, 200],
  ['of a list', 'GET', LIST, 200],
  ['of a refusal', 'GET', `${LIST}&limit=0`, 400],
  ['of a response without a body', 'HEAD', `${LIST}&limit=2`, 200],
])('the log has the status and the bytes %s', async (_of, method, path, status) => {
  const id = randomUUID();
  const response = await fetch(service.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Request-Id': id,
      'Accept-Encoding': 'identity',
    },
  });
  const { byteLength } = await response.arrayBuffer();
  // The line is written after the response.
  const line = await vi.waitUntil(() => service.log.find((text) => text.includes(id)));
  expect(JSON.parse(line)).toMatchObject({ msg: 'answered', status, bytes: byteLength });
  expect(byteLength > 0).toBe(method === 'GET');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccessToken } from '../../../src/auth/access-token.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const LIMIT = 20;
const CROWD = fullOrShort(3000, 300);

let service: TestService;

beforeAll(async () => {
  service = await startService({ settings: { invalidTokensPerMinute: LIMIT } });
});

afterAll(async () => await service.close());

const statusOf = async (token: string): Promise<number> => {
  const response = await service.get('/api/me', token);
  await response.arrayBuffer();
  return response.status;
};

test('a crowd of unknown tokens is refused, and valid tokens are not', async () => {
  const known = await service.token({});
  expect(await statusOf(known)).toBe(200);
  const crowd = Promise.all(
    Array.from({ length: CROWD }, async () => await statusOf(newAccessToken())),
  );
  expect(await statusOf(known)).toBe(200);
  const statuses = await crowd;
  expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
  expect(statuses.filter((status) => status === 429)).toHaveLength(CROWD - LIMIT);
  expect(await statusOf(known)).toBe(200);
});

test('the refusal is a problem with Retry-After, and is delayed', async () => {
  const started = performance.now();
  const response = await service.get('/api/me', newAccessToken());
  // A timer may end a millisecond early.
  expect(performance.now() - started).toBeGreaterThan(498);
  expect(await response.json()).toMatchObject({ status: 429, code: 'too_many_invalid_tokens' });
  const seconds = Number(response.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
});

test('a token that is created during the crowd is accepted', async () => {
  const created = await service.token({});
  await expect.poll(() => statusOf(created), { interval: 500 }).toBe(200);
});

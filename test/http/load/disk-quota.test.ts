import { once } from 'node:events';
import { type Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertManySales, MANY_SALES } from '../../support/databases/inserted/many-sales.ts';
import { openFilesIn } from '../../support/programs/open-files.ts';
import { startService, type TestService } from '../../support/requests/service.ts';

/** Each file is several times larger than this, and larger than the buffers of a connection. */
const QUOTA = 4 * 1024 * 1024;

const ARROW = `/api/affiliate/transactions?${MANY_SALES}&format=arrow`;

let service: TestService;

beforeAll(async () => {
  service = await startService({
    settings: { memoryCache: 0, diskQuota: QUOTA },
    // Files of clients that have left are closed at once.
    parts: (parts) => ({ ...parts, keepFilesFor: 0 }),
  });
  await insertManySales(service.database.engine, 100_000, 2);
});

afterAll(async () => await service.close());

const affiliate = async (publisherId: number) =>
  await service.token({ role: 'affiliate', publisherIds: [publisherId] });

/** The response to a client that reads nothing of the body yet. */
async function begun(token: string, path = ARROW): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(service.url + path, { headers, agent: false as unknown as Agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function expectRefused(response: IncomingMessage): Promise<void> {
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '30']);
  expect(JSON.parse(await text(response))).toMatchObject({ code: 'disk_quota_exceeded' });
}

const filesOnDisk = async () =>
  (await openFilesIn(service.database.directory ?? '')).filter((path) => path.includes('outgoing'));

test('a client that leaves files unread gets no more of them, and takes nothing from others', async () => {
  const [greedy, other] = [await affiliate(100), await affiliate(101)];
  const unread = await begun(greedy);
  expect(unread.statusCode).toBe(200);
  expect(Number(unread.headers['content-length'])).toBeGreaterThan(QUOTA);
  const attempts = Array.from(
    { length: 8 },
    async (_, at) => await begun(greedy, `${ARROW}&limit=${at + 1}`),
  );
  // Another token of the same websites is the same client.
  for (const attempt of [...attempts, begun(await affiliate(100))]) {
    await expectRefused(await attempt);
  }
  expect(await filesOnDisk()).toHaveLength(1);
  const list = await service.get(ARROW.replace('arrow', 'ndjson'), greedy);
  expect((await list.text()).split('\n')).toHaveLength(50_001);
  const foreign = await begun(other);
  expect(foreign.statusCode).toBe(200);
  foreign.destroy();
  // Read to its end, the file leaves the disk and the quota.
  for await (const _ of unread);
  await expect.poll(filesOnDisk).toEqual([]);
  const next = await begun(greedy);
  expect(next.statusCode).toBe(200);
  next.destroy();
  await expect.poll(filesOnDisk).toEqual([]);
});

test('a file that waited in the queue is refused when those before it take the quota', async () => {
  const greedy = await affiliate(100);
  const responses = await Promise.all(Array.from({ length: 6 }, async () => await begun(greedy)));
  const refused = responses.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toHaveLength(5);
  for (const response of refused) await expectRefused(response);
  for (const response of responses) response.destroy();
  await expect.poll(filesOnDisk).toEqual([]);
});

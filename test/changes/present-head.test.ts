import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reader } from '../../src/engine/engine.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

let service: TestService;
let token: string;
let heads = 0;

/** A reader without data versions, like that of a server to which other processes can write. */
const likeServers = (reader: Reader): Reader => ({
  read: (statement, signal) => reader.read(statement, signal),
  rows: async (statement, signal) => {
    if (statement.text.includes('AS origin')) heads += 1;
    return await reader.rows(statement, signal);
  },
  servers: reader.servers,
  get isContended() {
    return reader.isContended === true;
  },
  versions: undefined,
});

beforeAll(async () => {
  service = await startService({
    parts: (parts) => ({ ...parts, reader: likeServers(parts.reader) }),
  });
  token = await service.token({ role: 'admin' });
  await service.importText(ndjson([fileRow({ transaction_id: 1 })]));
});

afterAll(async () => await service.close());

const nextOf = (response: Response): string =>
  /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? '';

/** Publishes the same changes again within milliseconds, as another process would. An import takes longer. */
const publishAgain = async () =>
  await service.database.engine.execute(
    plainStatement(`INSERT INTO publications
SELECT max(number) + 1, 'published', max(batch), 'again', now64(3, 'UTC') FROM publications`),
  );

test('the feed has a change that was published in the same second as the last request', async () => {
  const end = await service.get('/api/admin/transactions/changes?type=sales', token);
  expect(await (await service.get(nextOf(end), token)).json()).toEqual([]);
  await publishAgain();
  const after = await service.get(nextOf(end), token);
  expect(await after.json()).toMatchObject([{ change: 'put', type: 'sales' }]);
  expect(await (await service.get(nextOf(after), token)).json()).toEqual([]);
});

test('readers that wait at the same time share one statement a second', async () => {
  const begin = await service.get('/api/admin/transactions/changes?type=sales', token);
  const path = `${nextOf(begin)}&wait=1`;
  const before = heads;
  const started = performance.now();
  await Promise.all(Array.from({ length: 20 }, async () => await service.get(path, token)));
  const seconds = (performance.now() - started) / 1000;
  expect(heads - before).toBeLessThan(seconds + 3);
});

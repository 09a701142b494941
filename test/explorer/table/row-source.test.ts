import { expect, test } from 'vitest';
import { RowSource } from '../../../explorer/src/table/row-source.ts';
import type { FetchedPage } from '../../../explorer/src/table/segment-reader.ts';

test('rows that were requested before a reload are requested again', async () => {
  const requests: ((page: FetchedPage) => void)[] = [];
  const source = new RowSource({
    query: { type: 'sales', start_date: '2026-01-01', end_date: '2026-01-01' },
    segments: [{ start: '2026-01-01', end: '2026-01-01', first: 0, count: 1 }],
    order: 'desc',
    sort: undefined,
    fetchPage: async (_, signal) =>
      await new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        requests.push(resolve);
      }),
    onError: (error) => expect.unreachable(String(error)),
    onOutdated: () => expect.unreachable(),
  });
  const answer = (status: string) =>
    requests.at(-1)?.({ rows: [{ transaction_id: 1, status }], next: undefined });

  source.showRange(0, 0);
  await expect.poll(() => requests.length).toBe(1);
  answer('2');
  await expect.poll(() => source.rowAt(0)?.status).toBe('2');

  source.reload();
  await expect.poll(() => requests.length).toBe(2);
  // The second response may be older than the change that caused this reload, so a third request is needed.
  source.reload();
  await expect.poll(() => requests.length).toBe(3);
  expect(source.rowAt(0)?.status).toBe('2');
  answer('1');
  await expect.poll(() => source.rowAt(0)?.status).toBe('1');
  expect(requests.length).toBe(3);
});

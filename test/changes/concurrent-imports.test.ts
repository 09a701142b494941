import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';
import { Follower } from './follower.ts';
import { importedLater } from './imported-later.ts';

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'transactions-concurrent-'));
});

afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

const ORDERS = [
  { published: 'last', newest: 101 },
  { published: 'first', newest: 100 },
] as const;

// `npm test` has one order, and concurrent-programs.test.ts has the other one.
test.each(everyNth(ORDERS, 2, 0))(
  'when two imports give a transaction different websites, a follower has the newer version, published $published',
  async ({ newest }) => {
    const token = await service.token({ role: 'admin' });
    const followed = ['', '&publisher_id=100,101'].map(
      (filter) => ({ role: 'admin', token, types: ['sales'], filter }) as const,
    );
    const followers = await Promise.all(followed.map((query) => Follower.begin(service, query)));
    const publications = [];
    for (const publisher of [100, 101]) {
      const hour = publisher === newest ? 11 : 10;
      const row = fileRow({
        transaction_id: newest,
        publisher_id: publisher,
        updated_at: `2026-02-01 ${hour}:00:00`,
      });
      publications.push(await importedLater(service, folder, row));
    }
    for (const publish of publications) await publish();
    // Each page has one change, and must have the present version of the transaction.
    for (const follower of followers) expect(await follower.expectExactAtEnd(1)).toBeGreaterThan(0);
  },
);

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
  // Without the month cache, which needs no tombstones.
  service = await startService({ settings: { memoryCache: 0 } });
  folder = await mkdtemp(join(tmpdir(), 'transactions-concurrent-'));
});

afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

const ORDERS = [
  { published: 'last', programs: [2, 3], newest: 3 },
  { published: 'first', programs: [4, 5], newest: 4 },
] as const;

// `npm test` has one order, and concurrent-imports.test.ts has the other one.
test.each(everyNth(ORDERS, 2, 1))(
  'when two imports give a transaction different programs, only the newer one lists it, published $published',
  async ({ programs, newest }) => {
    const token = await service.token({ role: 'admin' });
    const followers = await Promise.all(
      programs.map((program) => {
        const filter = `&program_id=${program}`;
        return Follower.begin(service, { role: 'admin', token, types: ['sales'], filter });
      }),
    );
    const publications = [];
    for (const program of programs) {
      const hour = program === newest ? 11 : 10;
      const row = fileRow({
        transaction_id: newest,
        program_id: program,
        updated_at: `2026-02-01 ${hour}:00:00`,
      });
      publications.push(await importedLater(service, folder, row));
    }
    for (const publish of publications) {
      await publish();
      for (const follower of followers) await follower.expectExactAtEnd(1);
    }
    const listed = followers.map((follower) => follower.expectExactAtEnd(1));
    expect(await Promise.all(listed)).toEqual(
      programs.map((program) => Number(program === newest)),
    );
  },
);

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const WEBSITES = Array.from({ length: fullOrShort(40, 20) }, (_, at) => 100 + at);
const DAYS = Array.from({ length: 28 }, (_, at) => `2026-02-${String(at + 1).padStart(2, '0')}`);
const ROUNDS = fullOrShort(15, 5);

let service: TestService;

beforeAll(async () => {
  service = await startService();
  const rows = WEBSITES.flatMap((publisher_id) =>
    DAYS.map((day) => fileRow({ publisher_id, created_at: `${day} 12:00:00` })),
  );
  await service.importText(ndjson(rows));
});

afterAll(async () => await service.close());

interface JsonRecord {
  readonly publisher_id: number;
  readonly created_at: string;
}

test('concurrent requests each get the response to their own query', async () => {
  const askers = WEBSITES.map(async (website, at) => {
    const token = await service.token({ role: 'affiliate', publisherIds: [website] });
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = (at + round) % DAYS.length;
      const days = DAYS.slice(first, first + 5);
      const query = `type=sales&start_date=${days[0]}&end_date=${days.at(-1)}`;
      const response = await service.get(`/api/affiliate/transactions?${query}`, token);
      const rows = (await response.json()) as JsonRecord[];
      const shown = rows.map(({ publisher_id, created_at }) => `${publisher_id} ${created_at}`);
      expect(shown).toEqual(days.map((day) => `${website} ${day} 12:00:00`));
    }
  });
  await Promise.all(askers);
});

test('concurrent requests of an administrator and affiliates each get their own records', async () => {
  const admin = await service.token({});
  const affiliate = await service.token({ role: 'affiliate', publisherIds: [100] });
  const query = 'type=sales&start_date=2026-02-01&end_date=2026-02-28';
  const answers = Array.from({ length: 60 }, async (_, at) => {
    const role = at % 2 === 0 ? 'admin' : 'affiliate';
    const token = role === 'admin' ? admin : affiliate;
    const rows = await (await service.get(`/api/${role}/transactions?${query}`, token)).json();
    return `${role} ${(rows as unknown[]).length} ${Object.keys((rows as object[])[0] ?? {}).length}`;
  });
  const all = WEBSITES.length * DAYS.length;
  expect([...new Set(await Promise.all(answers))].sort()).toEqual([
    `admin ${all} 35`,
    `affiliate ${DAYS.length} 20`,
  ]);
});

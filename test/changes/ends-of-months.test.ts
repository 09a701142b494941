import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../src/contract/record/records.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

let service: TestService;
let tokens: Readonly<Record<Role, string>>;
let begins: Readonly<Record<Role, Response>>;

const ROWS = ['2026-01-31 19:00:00', '2026-01-31 23:59:59'].map((created_at) =>
  fileRow({ created_at }),
);

const begin = async (role: Role) =>
  await service.get(`/api/${role}/transactions/changes?type=sales`, tokens[role]);

beforeAll(async () => {
  service = await startService({
    timeZone: 'America/New_York',
    settings: { memoryCache: fullOrShort(64 * 1024 * 1024, 0) },
  });
  tokens = {
    admin: await service.token({}),
    affiliate: await service.token({ role: 'affiliate', publisherIds: [100] }),
  };
  begins = { admin: await begin('admin'), affiliate: await begin('affiliate') };
  await service.importText(ndjson(ROWS));
});

afterAll(async () => await service.close());

test.each(['admin', 'affiliate'] as const)(
  'west of UTC, the feed for %s has a transaction of the last hours of a month, although UTC has the next month',
  async (role) => {
    const next = /^<(.*)>; rel="next"$/.exec(begins[role].headers.get('link') ?? '')?.[1] ?? '';
    const changes = (await (await service.get(next, tokens[role])).json()) as unknown[];
    expect(changes).toHaveLength(2);
    for (const row of ROWS) {
      const { transaction_id, created_at } = row;
      expect(changes).toContainEqual(
        expect.objectContaining({
          change: 'put',
          transaction: expect.objectContaining({ transaction_id, created_at }),
        }),
      );
    }
  },
);

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../src/contract/record/records.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

let service: TestService;
let tokens: Readonly<Record<Role, string>>;

beforeAll(async () => {
  service = await startService({ timeZone: 'America/New_York' });
  tokens = {
    admin: await service.token({}),
    affiliate: await service.token({ role: 'affiliate', publisherIds: [100] }),
  };
});

afterAll(async () => await service.close());

test.each(['admin', 'affiliate'] as const)(
  'west of UTC, the feed for %s has a transaction of the last hours of a month, although UTC has the next month',
  async (role) => {
    const path = `/api/${role}/transactions/changes?type=sales`;
    const begin = await service.get(path, tokens[role]);
    const rows = ['2026-01-31 19:00:00', '2026-01-31 23:59:59'].map((created_at) =>
      fileRow({ created_at }),
    );
    await service.importText(ndjson(rows));
    const next = /^<(.*)>; rel="next"$/.exec(begin.headers.get('link') ?? '')?.[1] ?? '';
    const changes = (await (await service.get(next, tokens[role])).json()) as unknown[];
    expect(changes).toHaveLength(2);
    for (const row of rows) {
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';

let service: TestService;

beforeAll(async () => {
  service = await startService();
  const rows = [10, 11, 12].flatMap((program_id) =>
    [100, 101].map((publisher_id) => fileRow({ program_id, publisher_id })),
  );
  await insertRows(service.database, rows);
});

afterAll(async () => await service.close());

interface JsonRecord {
  readonly program_id: number;
  readonly publisher_id: number;
}

async function shown(path: string, token: string): Promise<readonly (readonly number[])[]> {
  const rows = (await (await service.get(path, token)).json()) as JsonRecord[];
  return rows.map(({ program_id, publisher_id }) => [program_id, publisher_id]);
}

describe('an administrator who is limited to some programs', () => {
  const path = `/api/admin/transactions?${QUESTION}`;

  test('sees the transactions of these programs only', async () => {
    const token = await service.token({ programIds: [10, 12] });
    expect(await shown(path, token)).toEqual([
      [10, 100],
      [10, 101],
      [12, 100],
      [12, 101],
    ]);
  });

  test('can query one of them', async () => {
    const token = await service.token({ programIds: [10, 12] });
    expect(await shown(`${path}&program_id=12`, token)).toEqual([
      [12, 100],
      [12, 101],
    ]);
  });

  test('sees only these programs when querying a publisher', async () => {
    const token = await service.token({ programIds: [11] });
    expect(await shown(`${path}&publisher_id=101`, token)).toEqual([[11, 101]]);
  });

  test('gets the same bytes for any other program, whether it exists or not', async () => {
    const token = await service.token({ programIds: [10] });
    const answers = [11, 999, 0].map(async (program) => {
      const response = await service.get(`${path}&program_id=${program}`, token, {
        'x-request-id': 'same',
      });
      return `${response.status} ${await response.text()}`;
    });
    const [first, ...others] = await Promise.all(answers);
    expect(first).toContain('program_forbidden');
    for (const other of others) expect(other).toBe(first);
  });
});

test('an affiliate who is limited to programs sees them on their own websites only', async () => {
  const token = await service.token({
    role: 'affiliate',
    publisherIds: [101],
    programIds: [10, 11],
  });
  expect(await shown(`/api/affiliate/transactions?${QUESTION}`, token)).toEqual([
    [10, 101],
    [11, 101],
  ]);
  const refused = await service.get(`/api/affiliate/transactions?${QUESTION}&program_id=12`, token);
  expect(refused.status).toBe(403);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DirectoryName } from '../../../src/contract/record/directory.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { expectNotModified, lastingTag } from '../../support/requests/lasting-tag.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow } from '../../support/rows/file-rows.ts';

const MARCH = 'type=sales&start_date=2026-03-01&end_date=2026-03-31';

const sale = (transaction_id: number, program_id: number, publisher_id: number) =>
  fileRow({ transaction_id, program_id, publisher_id, created_at: '2026-03-02 12:00:00' });

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let home: string;
  const tokens = { admin: '', affiliate: '' };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'transactions-summary-names-'));
    service = await startService({ store });
    await insertRows(service.database, [sale(1, 12, 7), sale(2, 12, 8), sale(3, 13, 7)]);
    tokens.admin = await service.token({});
    tokens.affiliate = await service.token({ role: 'affiliate', publisherIds: [7] });
    await name('programs', 'id,name\n12,"Été ""& co"""\n99,Other\n');
  });

  afterAll(async () => {
    await service.close();
    await rm(home, { recursive: true, force: true });
  });

  async function name(of: DirectoryName, text: string): Promise<void> {
    const path = join(home, 'names.csv');
    await writeFile(path, text);
    const files = [{ path, name: 'names.csv' }];
    expect(
      (await service.operator.importDirectory({ of, files, replace: true }, {})).rejected,
    ).toBe(0);
  }

  const summary = async (
    role: 'admin' | 'affiliate',
    more: string,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    await service.get(`/api/${role}/transactions/summary?${MARCH}&${more}`, tokens[role], headers);

  test('each identifier is followed by its name, null if the directory has none', async () => {
    const response = await summary('admin', 'group_by=program_id,publisher_id&names=true');
    const groups = (await response.json()) as Record<string, unknown>[];
    expect(groups.map((group) => Object.entries(group).slice(0, 5))).toEqual([
      named(12, 'Été "& co"', 7),
      named(12, 'Été "& co"', 8),
      named(13, null, 7),
    ]);
    const affiliate = await summary('affiliate', 'group_by=program_id&names=true');
    expect(await affiliate.json()).toMatchObject([
      { program_id: 12, program_name: 'Été "& co"' },
      { program_id: 13, program_name: null },
    ]);
  });

  test('performance has the same names', async () => {
    const march = MARCH.replace('type=sales&', '');
    for (const page of ['', '&limit=9']) {
      const path = `/api/admin/performance?${march}&group_by=program_id,support_id&names=true${page}`;
      const groups = (await (await service.get(path, tokens.admin)).json()) as object[];
      expect(groups.map((group) => Object.entries(group).slice(0, 4))).toEqual([
        [
          ['program_id', 12],
          ['program_name', 'Été "& co"'],
          ['support_id', 1],
          ['support_name', null],
        ],
        [
          ['program_id', 13],
          ['program_name', null],
          ['support_id', 1],
          ['support_name', null],
        ],
      ]);
    }
  });

  const named = (program: number, title: string | null, publisher: number) => [
    ['program_id', program],
    ['program_name', title],
    ['publisher_id', publisher],
    ['publisher_name', null],
    ['count', 1],
  ];

  test('CSV has a column for the names, and without names=true nothing changes', async () => {
    const csv = await (await summary('admin', 'group_by=program_id&names=true&format=csv')).text();
    const lines = csv.split('\r\n').map((line) => line.split(',').slice(0, 3).join(','));
    expect(lines).toEqual(['program_id,program_name,count', '12,"Été ""& co""",2', '13,,1', '']);
    const plain = await (await summary('admin', 'group_by=program_id')).text();
    expect(await (await summary('admin', 'group_by=program_id&names=false')).text()).toBe(plain);
    expect(plain).not.toContain('name');
    const whole = await (await summary('admin', 'names=true')).text();
    expect(whole).toBe(await (await summary('admin', 'names=false')).text());
  });

  test('a change of a name changes only the entity tags of summaries with names', async () => {
    const named = async (headers = {}) =>
      await summary('admin', 'group_by=program_id&names=true', headers);
    const plain = async (headers = {}) => await summary('admin', 'group_by=program_id', headers);
    const before = { named: await lastingTag(named), plain: await lastingTag(plain) };
    await name('programs', 'id,name\n12,New\n');
    const changed = await named({ 'if-none-match': before.named });
    expect([changed.status, await changed.json()]).toMatchObject([
      200,
      [{ program_name: 'New' }, { program_name: null }],
    ]);
    await expectNotModified(plain, before.plain);
  });

  test('a value that is neither true nor false is refused', async () => {
    const response = await summary('admin', 'names=yes');
    expect(await response.json()).toMatchObject({
      code: 'invalid_parameters',
      errors: [{ parameter: 'names', detail: 'Must be one of "true", "false".' }],
    });
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import type { DirectoryName } from '../../src/contract/record/directory.ts';
import { TESTED_STORES } from '../support/databases/tested-stores.ts';
import { expectNotModified, lastingTag } from '../support/requests/lasting-tag.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const PROGRAMS = `id,name,url,status,category
1,Élan Sportif,https://elan.example,active,sports
2,"Sports ""Nord""",,,
3,Books,,,
9,Without transactions,,,
`;
const PUBLISHERS = 'id,name\n7,Blog\n8,=HYPERLINK(1)\n70,Foreign\n';

const sale = (transaction_id: number, program_id: number, publisher_id: number) =>
  fileRow({ transaction_id, program_id, publisher_id, created_at: '2026-03-02 12:00:00' });

type Role = 'admin' | 'affiliate';

interface Entry {
  readonly program_id?: number;
  readonly publisher_id?: number;
  readonly name: string | null;
}

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let home: string;
  const tokens = { admin: '', affiliate: '', limited: '', limitedAffiliate: '' };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'transactions-lists-'));
    service = await startService({ store });
    const rows = [sale(1, 1, 7), sale(2, 2, 7), sale(3, 1, 8), sale(4, 3, 70), sale(5, 4, 70)];
    await service.importText(ndjson(rows));
    await name('programs', PROGRAMS);
    await name('publishers', PUBLISHERS);
    tokens.admin = await service.token({});
    tokens.limited = await service.token({ programIds: [1, 5] });
    tokens.affiliate = await service.token({ role: 'affiliate', publisherIds: [7, 8, 71] });
    tokens.limitedAffiliate = await service.token({
      role: 'affiliate',
      publisherIds: [7],
      programIds: [2, 3],
    });
  });

  afterAll(async () => {
    await service.close();
    await rm(home, { recursive: true, force: true });
  });

  async function name(of: DirectoryName, text: string): Promise<void> {
    const path = join(home, 'names.csv');
    await writeFile(path, text);
    const files = [{ path, name: 'names.csv' }];
    await service.operator.importDirectory({ of, files, replace: true }, {});
  }

  const list = async (
    role: Role,
    of: string,
    token: string,
    headers: Readonly<Record<string, string>> = {},
  ) => await service.get(`/api/${role}/${of}`, token, headers);

  const entries = async (role: Role, of: string, token: string) =>
    ((await (await list(role, of, token)).json()) as Entry[]).map((entry) => [
      entry.program_id ?? entry.publisher_id,
      entry.name,
    ]);

  test('an administrator sees all entries, and programs that have transactions but no entry', async () => {
    expect(await entries('admin', 'programs', tokens.admin)).toEqual([
      [1, 'Élan Sportif'],
      [2, 'Sports "Nord"'],
      [3, 'Books'],
      [4, null],
      [9, 'Without transactions'],
    ]);
    expect(await entries('admin', 'publishers', tokens.admin)).toEqual([
      [7, 'Blog'],
      [8, '=HYPERLINK(1)'],
      [70, 'Foreign'],
    ]);
    const [first] = (await (await list('admin', 'programs', tokens.admin)).json()) as Entry[];
    expect(Object.entries(first ?? {})).toEqual([
      ['program_id', 1],
      ['name', 'Élan Sportif'],
      ['url', 'https://elan.example'],
      ['status', 'active'],
      ['category', 'sports'],
    ]);
  });

  test('a token that is limited to programs sees these, and the publishers with transactions of these programs', async () => {
    expect(await entries('admin', 'programs', tokens.limited)).toEqual([
      [1, 'Élan Sportif'],
      [5, null],
    ]);
    expect(await entries('admin', 'publishers', tokens.limited)).toEqual([
      [7, 'Blog'],
      [8, '=HYPERLINK(1)'],
    ]);
  });

  test('an affiliate sees their own websites, and the programs of their transactions', async () => {
    expect(await entries('affiliate', 'publishers', tokens.affiliate)).toEqual([
      [7, 'Blog'],
      [8, '=HYPERLINK(1)'],
      [71, null],
    ]);
    expect(await entries('affiliate', 'programs', tokens.affiliate)).toEqual([
      [1, 'Élan Sportif'],
      [2, 'Sports "Nord"'],
    ]);
    expect(await entries('affiliate', 'programs', tokens.limitedAffiliate)).toEqual([
      [2, 'Sports "Nord"'],
    ]);
    // A token limited to programs lists only its websites with transactions of these programs. Otherwise an admin
    // with limited programs could read the name of any website, by a new token for it.
    const other = await service.token({
      role: 'affiliate',
      publisherIds: [7, 70],
      programIds: [2],
    });
    expect(await entries('affiliate', 'publishers', other)).toEqual([[7, 'Blog']]);
    expect(await entries('affiliate', 'publishers', tokens.limitedAffiliate)).toEqual([
      [7, 'Blog'],
    ]);
    const nobody = await service.token({ role: 'affiliate', publisherIds: [] });
    expect(await entries('affiliate', 'programs', nobody)).toEqual([]);
    expect(await entries('affiliate', 'publishers', nobody)).toEqual([]);
    expect((await list('admin', 'programs', tokens.affiliate)).status).toBe(403);
  });

  test.each([
    ['elan', [1]],
    ['SPÓRT', [1, 2]],
    ['"nord"', [2]],
    ['%', []],
    ["' OR 1", []],
  ])('a search for %s finds parts of names, regardless of case and accents', async (text, ids) => {
    const found = await entries(
      'admin',
      `programs?search=${encodeURIComponent(text)}`,
      tokens.admin,
    );
    expect(found.map(([id]) => id)).toEqual(ids);
  });

  test.each(['ΟΔΟΣ', 'οδος', 'οδοσ', 'ΌΔΟΣ'])(
    'a search for %s finds Greek names, in which a sigma has two small letters',
    async (text) => {
      const names = PROGRAMS.replace('Books', 'ΟΔΟΣΑ').replace('Without transactions', 'Νέα οδός');
      await name('programs', names);
      const found = await entries('admin', `programs?search=${text}`, tokens.admin);
      await name('programs', PROGRAMS);
      expect(found).toEqual([
        [3, 'ΟΔΟΣΑ'],
        [9, 'Νέα οδός'],
      ]);
    },
  );

  test('pages follow their links, and a cursor is valid for the same list and search only', async () => {
    const seen: unknown[] = [];
    let next: string | undefined = 'programs?limit=2';
    while (next !== undefined) {
      const response: Response = await list('admin', next, tokens.admin);
      seen.push(...((await response.json()) as Entry[]).map(({ program_id }) => program_id));
      next = /\/api\/admin\/([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
      if (next === undefined) break;
      const foreign = next.replace('programs', 'publishers');
      expect((await list('admin', foreign, tokens.admin)).status).toBe(400);
      expect((await list('admin', `${next}&search=o`, tokens.admin)).status).toBe(400);
      expect((await list('admin', next, tokens.limited)).status).toBe(400);
    }
    expect(seen).toEqual([1, 2, 3, 4, 9]);
  });

  test('CSV, NDJSON and CSV for spreadsheets have the same entries', async () => {
    const text = async (more: string) =>
      await (await list('admin', `publishers?${more}`, tokens.admin)).text();
    expect(await text('format=csv')).toBe(
      'publisher_id,name,url,status,category\r\n7,"Blog",,,\r\n8,"=HYPERLINK(1)",,,\r\n70,"Foreign",,,\r\n',
    );
    expect(await text('csv=excel')).toContain('8;"\'=HYPERLINK(1)";;;');
    const [line] = (await text('format=ndjson')).split('\n');
    expect(line).toBe('{"publisher_id":7,"name":"Blog","url":null,"status":null,"category":null}');
  });

  test('the entity tag stays the same until a name changes or a transaction adds a program', async () => {
    const path = 'programs?search=o';
    const get = async (headers: Readonly<Record<string, string>>) =>
      await list('affiliate', path, tokens.affiliate, headers);
    const known = await lastingTag(get);
    await name('programs', PROGRAMS.replace('Books', 'Old books'));
    expect((await get({ 'if-none-match': known })).status).toBe(200);
    const renamed = await lastingTag(get);
    await service.importText(ndjson([sale(6, 3, 8)]));
    const changed = await get({ 'if-none-match': renamed });
    expect([changed.status, ((await changed.json()) as Entry[]).map(({ name: of }) => of)]).toEqual(
      [200, ['Élan Sportif', 'Sports "Nord"', 'Old books']],
    );
  });

  test('the entity tag changes with a name also for an administrator of few programs', async () => {
    const get = async (headers: Readonly<Record<string, string>>) =>
      await list('admin', 'programs', tokens.limited, headers);
    const known = await lastingTag(get);
    await name('programs', PROGRAMS.replace('Élan', 'Plan'));
    expect((await get({ 'if-none-match': known })).status).toBe(200);
    await name('programs', PROGRAMS);
  });

  const SALES = 'type=sales&start_date=2026-03-01&end_date=2026-03-31';
  const NAMED = 'fields=transaction_id,program_name,publisher_name,support_name';

  const sales = async (role: Role, token: string, more: string, headers = {}) =>
    await list(role, `transactions?${SALES}&${more}`, token, headers);

  test('lists have names where fields asks for them, and null for unknown ones', async () => {
    const named = await (await sales('admin', tokens.admin, NAMED)).json();
    expect(named).toContainEqual({
      transaction_id: 1,
      program_name: 'Élan Sportif',
      publisher_name: 'Blog',
      support_name: null,
    });
    expect(named).toContainEqual({
      transaction_id: 5,
      program_name: null,
      publisher_name: 'Foreign',
      support_name: null,
    });
    const whole = (await (await sales('admin', tokens.admin, 'limit=1')).json()) as object[];
    expect(Object.keys(whole[0] ?? {})).not.toContain('program_name');
  });

  test('names in lists are the same in pages, in other formats and in one transaction', async () => {
    const page = await sales('affiliate', tokens.affiliate, `${NAMED}&limit=2&order=desc`);
    expect(((await page.json()) as object[]).length).toBe(2);
    expect(page.headers.get('link')).toContain('program_name');
    const csv = await sales('admin', tokens.admin, 'fields=publisher_name,program_id&csv=excel');
    expect(await csv.text()).toContain('"\'=HYPERLINK(1)";1');
    const file = await sales('admin', tokens.admin, 'fields=program_name&format=parquet');
    const rows = await parquetReadObjects({ file: await file.arrayBuffer() });
    expect(rows.filter((row) => row.program_name === 'Élan Sportif')).toHaveLength(2);
    const one = await list('affiliate', `transactions/sales/2?${NAMED}`, tokens.affiliate);
    expect(await one.json()).toMatchObject({ program_name: 'Sports "Nord"' });
  });

  test('the entity tag of a list changes with names only if the list has them', async () => {
    const named = async (headers: Readonly<Record<string, string>>) =>
      await sales('admin', tokens.admin, NAMED, headers);
    const plain = async (headers: Readonly<Record<string, string>>) =>
      await sales('admin', tokens.admin, 'fields=transaction_id', headers);
    const known = { named: await lastingTag(named), plain: await lastingTag(plain) };
    await name('publishers', PUBLISHERS.replace('Blog', 'Magazine'));
    expect((await named({ 'if-none-match': known.named })).status).toBe(200);
    await expectNotModified(plain, known.plain);
    await name('publishers', PUBLISHERS);
  });

  test('the client reads the names', async () => {
    const client = createClient({ baseUrl: service.url, token: tokens.affiliate });
    expect(await client.affiliate.publishers({ search: 'BLOG' })).toMatchObject([
      { publisher_id: 7, name: 'Blog' },
    ]);
    const [named] = await Array.fromAsync(
      client.affiliate.transactions.list({
        type: 'sales',
        start_date: '2026-03-01',
        end_date: '2026-03-31',
        fields: ['program_name'],
      }),
    );
    expect(named?.program_name).toBe('Élan Sportif');
    expect(await client.affiliate.programs({ limit: 1 })).toMatchObject([{ program_id: 1 }]);
  });
});

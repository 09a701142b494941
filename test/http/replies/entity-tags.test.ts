import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readListQuery } from '../../../src/contract/query/query.ts';
import { entityTag } from '../../../src/http/replies/entity-tag.ts';
import { planList } from '../../../src/plan/list-plan.ts';
import { listTable, TABLE_OF } from '../../../src/plan/report-table.ts';
import { plainStatement } from '../../../src/plan/sql.ts';
import { databaseReader } from '../../../src/reading/import-barrier.ts';
import { TableVersions } from '../../../src/reading/table-versions.ts';
import { localTable } from '../../../src/schema/topology.ts';
import { tagKeyOf } from '../../../src/store/secret-keys.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { everyNth } from '../../support/run/sampled.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const DAYS_OF_JANUARY = 'start_date=2026-01-01&end_date=2026-01-31';
const JANUARY = `type=sales&${DAYS_OF_JANUARY}`;

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let admin: string;
  let affiliate: string;

  beforeAll(async () => {
    service = await startService({ store });
    admin = await service.token({});
    affiliate = await service.token({ role: 'affiliate', publisherIds: [100] });
    const days = ['2026-01-05', '2026-01-20', '2026-02-10'];
    const rows = days.map((day, at) =>
      fileRow({ transaction_id: at + 1, created_at: `${day} 12:00:00` }),
    );
    await insertRows(service.database, rows);
  });

  afterAll(async () => await service.close());

  const paths = [
    `/api/admin/transactions?${JANUARY}`,
    `/api/admin/transactions?${JANUARY}&format=csv&limit=1`,
    `/api/admin/transactions?${JANUARY}&program_id=10`,
    `/api/admin/transactions?${JANUARY}&date_field=updated_at`,
    `/api/admin/transactions?${JANUARY}&publisher_id=100&fields=transaction_id,subid,status`,
    `/api/admin/transactions?${JANUARY}&format=parquet`,
    `/api/admin/transactions/summary?${JANUARY}&program_id=10`,
    `/api/affiliate/transactions?${JANUARY}`,
    `/api/admin/transactions/summary?${JANUARY}&group_by=day`,
    `/api/affiliate/transactions/summary?${JANUARY}`,
    `/api/admin/performance?${DAYS_OF_JANUARY}&group_by=coupon&program_id=10`,
    `/api/affiliate/performance?${DAYS_OF_JANUARY}&group_by=day&sort=-sales&limit=1`,
    `/api/affiliate/performance?${DAYS_OF_JANUARY}&compare=year`,
  ];

  const tokenFor = (path: string): string => (path.startsWith('/api/admin') ? admin : affiliate);

  const get = async (path: string, tag?: string) =>
    await service.get(path, tokenFor(path), tag === undefined ? {} : { 'if-none-match': tag });

  async function tagOf(path: string): Promise<string> {
    const response = await get(path);
    await response.text();
    expect(response.status).toBe(200);
    return response.headers.get('etag') ?? '';
  }

  /** Repeats a check, because no tag matches while a server of a cluster is too busy to answer in time. */
  const eventually = async (check: () => Promise<void>) =>
    await vi.waitFor(check, { timeout: 120_000, interval: 500 });

  test.each(paths)('%s is not sent again while nothing changes', async (path) => {
    let tag = '';
    await eventually(async () => {
      tag = await tagOf(path);
      // A file has a strong tag, with a hash of its bytes.
      const [rows = '', bytes] = tag.match(/[\w-]{22}/g) ?? [];
      expect(tag).toBe(bytes === undefined ? `W/"${rows}"` : `"${rows}.${bytes}"`);
      // In `npm test`, each path gets its own tag and one of the other texts that match it, in turn.
      const matching = [`W/"${rows}"`, `"${rows}"`, `"other", ${tag}`, '*'];
      for (const given of [tag, ...everyNth(matching, 4, paths.indexOf(path))]) {
        const answer = await get(path, given);
        expect(answer.status, given).toBe(304);
        expect(answer.headers.get('etag')).toBe(given.includes('.') ? tag : `W/"${rows}"`);
        expect(await answer.text()).toBe('');
      }
    });
    const others = ['W/"other"', '"', 'x', tag.slice(0, -2)];
    for (const given of everyNth(others, 4, paths.indexOf(path))) {
      const answer = await get(path, given);
      expect(answer.status, given).toBe(200);
      await answer.text();
    }
  });

  test('different responses have different tags', async () => {
    const sorts = ['sort=country', 'sort=-country', 'sort=country&offset=1'];
    const more = [
      ...['&order=desc', '&fields=status', '&format=ndjson', '&status=1', '&limit=2'],
      ...sorts.map((sort) => `&limit=2&${sort}`),
    ];
    const asked = [...paths, ...more.map((parameter) => paths[0] + parameter)];
    const tags = await Promise.all(asked.map(tagOf));
    expect(new Set(tags).size).toBe(asked.length);
  });

  test('a response with a count has another tag than one without', async () => {
    const [path = ''] = paths;
    const tag = await tagOf(path);
    const headers = { 'if-none-match': tag, prefer: 'count=exact' };
    const answer = await service.get(path, admin, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-total-count')).toBe('2');
    expect(await answer.json()).toHaveLength(2);
  });

  test('the tag that one principal received does not match for another one', async () => {
    const path = `/api/affiliate/transactions?${JANUARY}`;
    const tag = await tagOf(path);
    const other = await service.token({ role: 'affiliate', publisherIds: [101] });
    const answer = await service.get(path, other, { 'if-none-match': tag });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([]);
  });

  test.each([`/api/affiliate/transactions?${JANUARY}&limit=1`, '/api/affiliate/programs?limit=1'])(
    'the page %s has another tag for a principal with the same rights, because of its link',
    async (path) => {
      const tag = await tagOf(path);
      const same = await service.token({ role: 'affiliate', publisherIds: [100] });
      const answer = await service.get(path, same, { 'if-none-match': tag });
      expect(answer.status).toBe(200);
      await answer.text();
    },
  );

  test('any change of a row in the response changes the tag', async () => {
    const changes = [
      { day: 22, status: 1, validation_date: '2026-01-21 10:00:00' },
      { day: 23, subid: 'later' },
      // Of two versions with the same date, the last imported one counts.
      { day: 23, subid: 'later still' },
    ];
    // In `npm test` only the last two changes, each at half of the paths.
    for (const [at, { day, ...changed }] of changes.slice(fullOrShort(0, 1)).entries()) {
      const asked = everyNth(paths, 2, at);
      const tags = await Promise.all(asked.map(tagOf));
      const updated = `2026-01-${day} 10:00:00`;
      const row = { transaction_id: 2, created_at: '2026-01-20 12:00:00', updated_at: updated };
      await service.importText(ndjson([fileRow({ ...row, ...changed })]));
      for (const [index, path] of asked.entries()) {
        const answer = await get(path, tags[index]);
        expect(answer.status, path).toBe(200);
        await answer.text();
      }
    }
  });

  test('a change in another month does not change the tags of this one', async () => {
    const [path = ''] = paths;
    let id = 100;
    await eventually(async () => {
      const tag = await tagOf(path);
      id += 1;
      await service.importText(
        ndjson([fileRow({ transaction_id: id, created_at: '2026-06-01 12:00:00' })]),
      );
      expect((await get(path, tag)).status).toBe(304);
    });
    expect((await (await get(path)).json()) as unknown[]).toHaveLength(2);
  });

  test('a merge of parts does not change the tags', async () => {
    const [path = ''] = paths;
    const { engine, topology } = service.database;
    const table = localTable(topology, TABLE_OF.admin);
    await eventually(async () => {
      const tag = await tagOf(path);
      for (const server of engine.each()) {
        await server.execute(plainStatement(`OPTIMIZE TABLE ${table} FINAL`));
      }
      expect((await get(path, tag)).status).toBe(304);
    });
  });

  test('an affiliate cannot find out from tags how many rows others have, by trying versions', async () => {
    const path = `/api/affiliate/transactions?${JANUARY}`;
    const token = await service.token({ role: 'affiliate', publisherIds: [999] });
    // Anyone can compute what the tag is made from, except the key.
    const query = readListQuery(JANUARY, 'affiliate');
    const asker = { id: 'me', role: 'affiliate', publisherIds: [999], programIds: 'all' } as const;
    const plan = planList(query, asker, { timeZone: 'Europe/Paris', locale: 'fr' });
    const { engine, topology, keys } = service.database;
    const versions = new TableVersions(databaseReader(engine, topology));
    const asked = { ...plan, fields: 'all', isCounted: false };
    const tagKey = await tagKeyOf(engine, keys);
    let tag: string | null = null;
    let version = '';
    await eventually(async () => {
      const response = await service.get(path, token);
      expect(await response.json()).toEqual([]);
      tag = response.headers.get('etag');
      version = await versions.versionOf(plan, [listTable(plan)], { isLatest: true });
      expect(tag).toBe(entityTag(asked, version, tagKey));
    });
    for (const key of [Buffer.of(), Buffer.of(0), Buffer.from('tags'), keys.cursors]) {
      expect(tag).not.toBe(entityTag(asked, version, key));
    }
    const unkeyed = createHash('sha256').update(JSON.stringify(asked)).update(version);
    expect(tag).not.toBe(`W/"${unkeyed.digest('base64url').slice(0, 22)}"`);
  });
});

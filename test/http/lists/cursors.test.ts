import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORMAT_NAMES } from '../../../src/contract/query/formats.ts';
import { insertRows } from '../../support/databases/inserted/insert-rows.ts';
import { TESTED_STORES } from '../../support/databases/tested-stores.ts';
import { send } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { fullOrShort } from '../../support/run/test-extent.ts';

const JANUARY = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';
const ADMIN = `/api/admin/transactions?${JANUARY}`;
const NEXT = /^<([^>]+)>; rel="next"$/;

/** Texts, as a client sends them with little percent-encoding, and as they are written in links. */
const SUBIDS = [
  { text: 'a>b', raw: 'a>b', written: 'a%3Eb' },
  { text: '<a>"b"', raw: '<a>"b"', written: '%3Ca%3E%22b%22' },
  { text: 'a#b|{c}^`[d]\\', raw: 'a#b|{c}^`[d]\\', written: 'a%23b%7C%7Bc%7D%5E%60%5Bd%5D%5C' },
  { text: '100%', raw: '100%', written: '100%25' },
  { text: 'a b c~', raw: 'a+b%20c~', written: 'a+b%20c~' },
];

type JsonRecord = { readonly transaction_id: number; readonly status: string };

const idsOf = (records: readonly JsonRecord[]) =>
  records.map(({ transaction_id }) => transaction_id);

describe.each(TESTED_STORES)('on the store %s', (store) => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await startService({ store });
    token = await service.token({});
    // Many rows share a second, so that pages end within one.
    const rows = Array.from({ length: 60 }, (_, at) =>
      fileRow({ transaction_id: at + 1, created_at: `2026-01-10 12:00:0${at % 3}` }),
    );
    const twice = SUBIDS.flatMap(({ text }, at) =>
      [0, 1].map((one) =>
        fileRow({
          transaction_id: 90_000 + 2 * at + one,
          subid: text,
          created_at: '2026-02-10 12:00:00',
        }),
      ),
    );
    await insertRows(service.database, [...rows, ...twice]);
  });

  afterAll(async () => await service.close());

  async function pageOf(path: string, by = token) {
    const response = await service.get(path, by);
    const records = (await response.json()) as readonly JsonRecord[];
    const next = NEXT.exec(response.headers.get('link') ?? '')?.[1];
    return { status: response.status, records, next };
  }

  async function firstCursor(path = ADMIN, by = token): Promise<string> {
    const { next = '' } = await pageOf(`${path}&limit=7`, by);
    return new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
  }

  async function expectRefused(path: string, by = token): Promise<void> {
    const response = await service.get(path, by);
    expect(response.status, path).toBe(400);
    const { errors } = (await response.json()) as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter)).toEqual(['cursor']);
  }

  test('a cursor with any change is refused', async () => {
    const cursor = await firstCursor();
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const changed = new Set<string>();
    for (let at = 0; changed.size < (store === 'embedded' ? fullOrShort(1000, 80) : 100); at += 1) {
      const place = at % cursor.length;
      const letter = letters[Math.floor(Math.random() * letters.length)] ?? '';
      const one = cursor.slice(0, place) + letter + cursor.slice(place + 1);
      const two =
        one.slice(0, (place * 7) % one.length) + letter + one.slice(((place * 7) % one.length) + 1);
      for (const text of [one, two]) if (text !== cursor) changed.add(text);
    }
    for (const shape of [
      cursor.slice(1),
      `${cursor}A`,
      cursor + cursor,
      'x',
      `${cursor}=`,
      '%00',
    ]) {
      changed.add(shape);
    }
    for (const text of changed) {
      await expectRefused(`${ADMIN}&limit=7&cursor=${encodeURIComponent(text)}`);
    }
  });

  test('a cursor is valid only for its query', async () => {
    const cursor = await firstCursor();
    for (const other of [
      '&order=desc',
      '&status=2',
      '&program_id=10',
      '&date_field=updated_at',
      '&country=FR',
    ]) {
      await expectRefused(`${ADMIN}${other}&limit=7&cursor=${cursor}`);
    }
    await expectRefused(`${ADMIN.replace('31', '30')}&limit=7&cursor=${cursor}`);
    await expectRefused(`${ADMIN.replace('sales', 'leads')}&limit=7&cursor=${cursor}`);
  });

  test('a cursor is valid for other page sizes and other formats', async () => {
    const cursor = await firstCursor();
    const next = async (form: string) =>
      await (await service.get(`${ADMIN}&cursor=${cursor}${form}`, token)).text();
    const rows = JSON.parse(await next('&limit=3')) as { transaction_id: number }[];
    const ids = rows.map(({ transaction_id }) => transaction_id);
    expect(ids).toHaveLength(3);
    expect(await next('&limit=3&fields=transaction_id&format=csv')).toBe(
      ['transaction_id', ...ids, ''].join('\r\n'),
    );
    expect(JSON.parse(await next('&limit=9'))).toHaveLength(9);
  });

  test('a cursor is valid only for its principal', async () => {
    const affiliate = async () => await service.token({ role: 'affiliate', publisherIds: [100] });
    const [one, other] = [await affiliate(), await affiliate()];
    const path = `/api/affiliate/transactions?${JANUARY}`;
    const cursor = await firstCursor(path, one);
    expect((await pageOf(`${path}&limit=7&cursor=${cursor}`, one)).status).toBe(200);
    await expectRefused(`${path}&limit=7&cursor=${cursor}`, other);
    await expectRefused(`${path}&limit=7&cursor=${await firstCursor()}`, one);
    await expectRefused(`${ADMIN}&limit=7&cursor=${cursor}`);
  });

  test('the page size may change between pages, and the rest can be read without a limit', async () => {
    const cursor = await firstCursor();
    const all = idsOf((await pageOf(ADMIN)).records);
    const page = await pageOf(`${ADMIN}&limit=20&cursor=${cursor}`);
    expect(idsOf(page.records)).toEqual(all.slice(7, 27));
    expect(idsOf((await pageOf(`${ADMIN}&cursor=${cursor}`)).records)).toEqual(all.slice(7));
  });

  test.each(FORMAT_NAMES)(
    'a query of the maximum length can be read to its last page as %s',
    async (format) => {
      const ids = Array.from({ length: 1840 }, (_, at) => at + 1);
      const pathOf = (count: number) =>
        `${ADMIN}&format=${format}&limit=40&transaction_id=${ids.slice(0, count)}`;
      let count = ids.length;
      while ((await service.get(pathOf(count), token)).status === 414) count -= 1;
      const first = await service.get(pathOf(count), token);
      expect([first.status, count < ids.length]).toEqual([200, true]);
      const [, next = ''] = NEXT.exec(first.headers.get('link') ?? '') ?? [];
      const last = await service.get(next, token);
      expect([last.status, last.headers.get('link')]).toEqual([200, null]);
    },
  );

  test.each(SUBIDS)(
    'a link is a valid URL, whatever characters Node accepted: $raw',
    async ({ raw, text, written }) => {
      const path = `${ADMIN.replaceAll('2026-01', '2026-02').replace('-31', '-28')}&limit=1`;
      const headers = [`Authorization: Bearer ${token}`];
      const first = await send(service.url, { target: `${path}&subid=${raw}`, headers });
      const [, next = ''] = NEXT.exec(first.headers.get('link') ?? '') ?? [];
      expect(next).toContain(`&subid=${written}&cursor=`);
      const second = await send(service.url, { target: next, headers });
      expect(second.headers.has('link')).toBe(false);
      const [[one], [other]] = [first, second].map(({ body }) => JSON.parse(body));
      expect([one.subid, other.subid]).toEqual([text, text]);
      expect(other.transaction_id).toBe(one.transaction_id + 1);
    },
  );

  test('the last page has no link, even if it is full', async () => {
    for (const limit of [60, 61, 10_000]) {
      expect((await pageOf(`${ADMIN}&limit=${limit}`)).next).toBeUndefined();
    }
    expect((await pageOf(`${ADMIN}&limit=59`)).next).toBeDefined();
    expect((await pageOf(`${ADMIN}&status=0&limit=1`)).next).toBeUndefined();
  });

  /** A list that is read page by page, with imports in between. `before` has the ids from before the imports. */
  function readingIn(order: 'asc' | 'desc') {
    const kind = order === 'asc' ? 'leads' : 'clics';
    const base = order === 'asc' ? 10_000 : 20_000;
    const before = Array.from({ length: 60 }, (_, at) => base + at);
    const row = (id: number, status: number, hour: number) =>
      fileRow({
        type: kind,
        transaction_id: id,
        status,
        validation_date: status === 1 ? '2026-01-21 09:00:00' : null,
        created_at: `2026-01-${10 + (id % 3)} ${hour}:00:00`,
        updated_at: `2026-01-2${status} 10:00:00`,
      });
    const seen: number[] = [];
    let next: string | undefined = `${ADMIN.replace('sales', kind)}&order=${order}&limit=9`;
    return {
      before,
      seen,
      first: before.map((id) => row(id, 0, 10 + (id % 9))),
      /** The rows of one import: all earlier rows with changes, and new rows at several places of the list. */
      changesAfter(round: number) {
        const changed = before.map((id) => row(id, (round % 2) + 1, 10 + (id % 9)));
        const added = [10, 14, 19].map((hour, at) => row(base + 1000 + round * 10 + at, 2, hour));
        return [...changed, ...added];
      },
      /** Reads the next page; returns false if there is none. */
      async readOn() {
        if (next === undefined) return false;
        const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(next);
        seen.push(...idsOf(page.records).filter((id) => before.includes(id)));
        next = page.next;
        return true;
      },
    };
  }

  test('pages in either order that are read during imports have every earlier row exactly once', async () => {
    const readings = [readingIn('asc'), readingIn('desc')];
    await service.importText(ndjson(readings.flatMap(({ first }) => first)));
    for (let round = 0, isLeft = true; isLeft; round += 1) {
      const pages = await Promise.all(readings.map(async (reading) => await reading.readOn()));
      isLeft = pages.includes(true);
      const changes = readings.flatMap((reading) => reading.changesAfter(round));
      if (round < fullOrShort(3, 1)) await service.importText(ndjson(changes));
    }
    for (const { seen, before } of readings) {
      expect(seen.sort((one, other) => one - other)).toEqual(before);
    }
  });
});

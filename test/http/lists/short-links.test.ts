import { afterAll, beforeAll, expect, test } from 'vitest';
import { packLists } from '../../../src/contract/id-lists.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';

const JANUARY = 'start_date=2026-01-01&end_date=2026-01-31';
const LIST = `transactions?type=sales&${JANUARY}&limit=1`;

/** As a client may send them: 500 identifiers of 7 digits, not sorted. */
const IDS = Array.from({ length: 500 }, (_, at) => 1_000_000 + ((at * 7919) % 8_999_993));
const [FIRST = 0, SECOND = 0, THIRD = 0] = IDS;

let service: TestService;
let admin: string;
let affiliate: string;

beforeAll(async () => {
  service = await startService();
  const own = [FIRST, SECOND, THIRD, 5].map((publisher_id, at) =>
    fileRow({ transaction_id: at + 1, publisher_id, created_at: `2026-01-0${at + 1} 12:00:00` }),
  );
  await service.importText(ndjson(own));
  admin = await service.token({});
  affiliate = await service.token({ role: 'affiliate', publisherIds: [FIRST, SECOND] });
});

afterAll(async () => await service.close());

async function ask(path: string, token = admin) {
  const response = await service.get(path, token);
  const text = await response.text();
  const next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  return { status: response.status, body: JSON.parse(text), next };
}

const identifiersOf = (rows: readonly { readonly transaction_id: number }[]) =>
  rows.map(({ transaction_id }) => transaction_id);

/** Follows the links of pages. */
async function pagesOf(path: string): Promise<{ identifiers: number[]; longest: number }> {
  const identifiers: number[] = [];
  let longest = 0;
  for (let at: string | undefined = path; at !== undefined; ) {
    const page: Awaited<ReturnType<typeof ask>> = await ask(at);
    expect(page.status).toBe(200);
    identifiers.push(...identifiersOf(page.body));
    longest = Math.max(longest, page.next?.length ?? 0);
    at = page.next;
  }
  return { identifiers, longest };
}

test.each([
  ['commas', `&publisher_id=${IDS}`],
  [
    'repetitions',
    IDS.slice(0, 300)
      .map((id) => `&publisher_id=${id}`)
      .join(''),
  ],
  [
    'brackets',
    IDS.slice(0, 300)
      .map((id) => `&publisher_id%5B%5D=${id}`)
      .join(''),
  ],
  ['two lists', `&program_id=10&publisher_id=${IDS}`],
])('a list with many identifiers in %s has short links to all of its pages', async (_, more) => {
  const path = `/api/admin/${LIST}${more}`;
  const { identifiers, longest } = await pagesOf(path);
  expect(identifiers).toEqual([1, 2, 3]);
  expect(longest).toBeGreaterThan(0);
  // nginx accepts 4 KiB of response headers by default. The link must fit into half of them.
  expect(longest).toBeLessThan(2000);
});

test('a link with few identifiers keeps them as they are', async () => {
  const { next } = await ask(`/api/admin/${LIST}&publisher_id=${SECOND},${FIRST}`);
  expect(next).toContain(`&publisher_id=${SECOND},${FIRST}&cursor=`);
});

test('a cursor is valid beside the identifiers that the client sent, in any order', async () => {
  const path = `/api/admin/${LIST}&publisher_id=${IDS}`;
  const { next = '' } = await ask(path);
  const cursor = new URLSearchParams(next.split('?')[1]).get('cursor');
  for (const one of [path, `/api/admin/${LIST}&publisher_id=${IDS.toReversed()}`, next]) {
    const page = await ask(
      one === next ? `${next}&publisher_id=${IDS}` : `${one}&cursor=${cursor}`,
    );
    expect([page.status, identifiersOf(page.body)]).toEqual([200, [2]]);
  }
});

test('other identifiers beside a cursor or packed lists are refused', async () => {
  const { next = '' } = await ask(`/api/admin/${LIST}&publisher_id=${IDS}`);
  const packed = new URLSearchParams(next.split('?')[1]).get('id_lists') ?? '';
  const other = packLists({ publisher_id: IDS.slice(1) });
  for (const [path, parameter] of [
    [`${next}&publisher_id=${IDS.slice(1)}`, 'id_lists'],
    [next.replace(packed, other), 'cursor'],
    [next.replace(/&id_lists=[^&]*/, ''), 'cursor'],
  ] as const) {
    const { status, body } = await ask(path);
    expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
  }
});

test('packed lists give no access to other websites', async () => {
  const packed = packLists({ publisher_id: IDS });
  const path = `/api/affiliate/${LIST}&id_lists=${packed}`;
  expect(await ask(path, affiliate)).toMatchObject({
    status: 403,
    body: { code: 'publisher_forbidden' },
  });
});

test('a page of performance and of changes has a short link too', async () => {
  const grouped = `/api/admin/performance?${JANUARY}&group_by=publisher_id&limit=1`;
  const first = await ask(`${grouped}&publisher_id=${IDS}`);
  const second = await ask(first.next ?? '');
  expect(second.body).toHaveLength(1);
  expect(second.body[0].publisher_id).not.toBe(first.body[0].publisher_id);
  const changes = `/api/admin/transactions/changes?type=sales&publisher_id=${IDS}`;
  const now = await ask(changes);
  const later = await ask(now.next ?? '');
  expect([now.status, later.status, later.next]).toEqual([200, 200, now.next]);
  for (const { next = '' } of [first, second, now]) expect(next.length).toBeLessThan(2000);
});

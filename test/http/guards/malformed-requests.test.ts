import { afterAll, beforeAll, expect, test } from 'vitest';
import { INJECTIONS } from '../../support/attacks/attacks.ts';
import { exchange } from '../../support/requests/raw-http.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fullOrShort, SEED } from '../../support/run/test-extent.ts';

const REQUESTS = fullOrShort(10_000, 1_000);

/** How many requests are sent over one connection, one after the other. The first malformed one closes it. */
const TOGETHER = 4;

/** A valid request that closes the connection. */
const LAST = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = await service.token({});
});

afterAll(async () => await service.close());

/** Seeded random numbers (mulberry32); the message of a failure has the seed. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'OPTIONS',
  'get',
  'G\u0000T',
  'CONNECT',
];
const PATHS = [
  '/api/admin/transactions',
  '/api/admin/transactions/summary',
  '/api/admin/performance',
  '/api/affiliate/transactions',
  '/api/me',
  '/openapi.json',
  '/problems/not-found',
  '/docs',
  '/health/live',
  '/%2e%2e/api',
  '//',
  '*',
  '/api/admin/transactions/%ff%00',
  'http://other/api/me',
];
const NAMES = [
  'type',
  'start_date',
  'end_date',
  'date_field',
  'program_id',
  'publisher_id',
  'status',
  'transaction_id',
  'clickid',
  'subid',
  'country',
  'device_type',
  'order',
  'fields',
  'limit',
  'cursor',
  'format',
  'csv',
  'group_by',
  'nonsense',
  '__proto__',
  'constructor',
  '',
];
const GOOD = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';
const VALUES = [
  ...INJECTIONS,
  '',
  ',',
  '1,,2',
  '1'.repeat(400),
  '9'.repeat(16),
  '%',
  '%zz',
  '%00',
  '%ff%fe',
  'sales',
  '2026-01-01',
  '0000-01-01',
  '9999-12-31',
  '-1',
  '1e9',
  'A'.repeat(38),
  'asc',
  'csv',
  'parquet',
  'day,day',
  'transaction_id,transaction_id',
  '\u{1F600}',
  'é',
  'a b',
  '+',
  '&',
  '=',
  '#',
];
const HEADERS = [
  'Accept: text/csv;q=x',
  'Accept: */*;q=0',
  'Accept: application/vnd.apache.parquet',
  'Accept:',
  'Accept: ,;,',
  'Accept-Encoding: zstd;q=0, *;q=0',
  'Accept-Encoding: gzip',
  'Accept-Encoding: ;;',
  'Accept-Language: \u0001',
  'Accept-Language: xx-XX;q=9',
  'If-None-Match: W/"',
  'If-None-Match: *',
  'Prefer: count=exact',
  'Prefer: =,;',
  'Content-Length: 5',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  'Expect: nothing',
  'Host: other',
  'X-Request-Id: \t',
  'Origin: null',
  'Origin: http://x',
  'Range: bytes=0-',
  'Upgrade: h2c',
  'Connection: upgrade',
  ': empty',
  'No-Colon',
  'Authorization: Basic x',
  'Cookie: a=b',
  `X-Long: ${'x'.repeat(9000)}`,
];

test(`${REQUESTS.toLocaleString('en')} malformed requests are refused, none with an internal error`, async () => {
  const random = randomOf(SEED);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const parameters = (): string => {
    const given = Array.from({ length: random(4) }, () => {
      const value = pick(VALUES);
      return `${pick(NAMES)}=${random(2) === 0 ? value : encodeURIComponent(value)}`;
    });
    return [random(3) > 0 ? GOOD : '', ...given].join(random(20) === 0 ? ';' : '&');
  };
  const request = (): string => {
    const bearer = random(8) > 0 ? [`Authorization: Bearer ${token}`] : [];
    const more = Array.from({ length: random(3) }, () => pick(HEADERS));
    const lines = [
      `${pick(METHODS)} ${pick(PATHS)}?${parameters()} HTTP/1.${random(30) === 0 ? 2 : 1}`,
      ...(random(20) > 0 ? ['Host: localhost'] : []),
      ...bearer,
      ...more,
    ];
    const text = `${lines.join('\r\n')}\r\n\r\n`;
    if (random(10) > 0) return text;
    // One byte is changed, or the rest is cut off.
    const at = random(text.length);
    return random(2) === 0
      ? text.slice(0, at)
      : text.slice(0, at) + pick(['\u0000', '\r', ' ', 'é', '\u007f']) + text.slice(at + 1);
  };
  const statuses = new Set<string>();
  let refused = 0;
  while (refused < REQUESTS) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const all = Array.from({ length: TOGETHER }, request);
        return { all, text: await exchange(service.url, all.join('') + LAST, 300) };
      }),
    );
    for (const { all, text } of answers) {
      for (const [, status = ''] of text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) {
        statuses.add(status);
        // A request with status 200 was valid despite the change, as the last one always is.
        if (status >= '400') refused += 1;
        expect(status < '500', `seed ${SEED}: ${status} to ${JSON.stringify(all)}`).toBe(true);
      }
    }
  }
  expect([...statuses]).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '405', '413']),
  );
  expect((await service.get('/health/ready')).status).toBe(200);
  const failures = service.log.filter((line) => JSON.parse(line).level >= 50);
  expect(failures.slice(0, 3)).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { IMPORT_OUTCOMES } from '../../src/audit/audit-events.ts';
import { ImportAborted } from '../../src/control/operator.ts';
import { DiskFull } from '../../src/disk/disk-space.ts';
import { EngineFailure } from '../../src/engine/engine.ts';
import { METRICS, type MetricName } from '../../src/metrics/metric-table.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { meteredMonthCache } from '../../src/monitoring/metered-month-cache.ts';
import { MeteredOperator } from '../../src/monitoring/metered-operator.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

const QUESTION = 'type=sales&start_date=2026-01-01&end_date=2026-01-31';
const LIST = '/api/admin/transactions';

let service: TestService;
let token: string;

beforeAll(async () => {
  // Without the month cache, the engine answers every list.
  service = await startService({ settings: { memoryCache: 0 } });
  await service.importText(ndjson([fileRow({}), fileRow({}), fileRow({})]));
  token = await service.token({ expiresAt: new Date(Date.now() + 86_400_000) });
});

afterAll(async () => await service.close());

const scrape = async (): Promise<string> =>
  (await service.monitoringServer.inject('/metrics')).body;

/** The value of a sample in a scrape; undefined if it is absent. */
function sampleOf(text: string, name: MetricName, labels = ''): number | undefined {
  const start = `${name}${labels === '' ? '' : `{${labels}}`} `;
  const line = text.split('\n').find((each) => each.startsWith(start));
  return line === undefined ? undefined : Number(line.slice(start.length));
}

const sample = async (name: MetricName, labels = '') => sampleOf(await scrape(), name, labels) ?? 0;

test('the scrape is OpenMetrics with every metric of the table', async () => {
  const { headers, body } = await service.monitoringServer.inject('/metrics');
  expect(headers['content-type']).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(body).toMatch(/# EOF\n$/);
  const typed = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
  const expected = Object.entries(METRICS).map(([name, { type }]) => [
    type === 'counter' ? name.replace(/_total$/, '') : name,
    type,
  ]);
  expect(typed).toEqual(expected);
});

test.each(Object.entries(METRICS))('%s follows the naming rules', (name, { type, help }) => {
  expect(name.endsWith('_total')).toBe(type === 'counter');
  if (type === 'histogram') expect(name).toMatch(/_seconds$/);
  expect(help).toMatch(/^[A-Z].*[^.]$/);
});

test('a response is counted when it has ended, with its size and its time to the first byte', async () => {
  const route = `route="${LIST}"`;
  const before = await scrape();
  const answer = await service.get(`${LIST}?${QUESTION}`, token, { 'accept-encoding': 'identity' });
  const { length } = Buffer.from(await answer.arrayBuffer());
  const counted = `${route},status="200"`;
  const requests = sampleOf(before, 'transactions_http_requests_total', counted) ?? 0;
  await expect
    .poll(async () => await sample('transactions_http_requests_total', counted))
    .toBe(requests + 1);
  const after = await scrape();
  const growth = (name: MetricName, labels: string) =>
    (sampleOf(after, name, labels) ?? 0) - (sampleOf(before, name, labels) ?? 0);
  expect(growth('transactions_http_response_bytes_total', route)).toBe(length);
  expect(growth('transactions_rows_total', 'class="list"')).toBe(3);
  expect(growth('transactions_queries_started_total', 'class="list",priority="new"')).toBe(1);
  expect(after).toMatch(/^transactions_http_first_byte_seconds_count\{route="\/api\/admin/m);
  expect(sampleOf(after, 'transactions_http_cut_total', route)).toBeUndefined();
});

test('the label route never has a raw path: unknown paths share the value none', async () => {
  await service.get('/nothing-secret');
  const labels = 'route="none",status="404"';
  await expect.poll(async () => await sample('transactions_http_requests_total', labels)).toBe(1);
  expect(await scrape()).not.toContain('nothing-secret');
});

test('gauges are measured at the time of the scrape', async () => {
  const text = await scrape();
  expect(sampleOf(text, 'transactions_database_up')).toBe(1);
  expect(sampleOf(text, 'transactions_newest_row_timestamp_seconds')).toBeGreaterThan(1.7e9);
  const now = Date.now() / 1000;
  expect(sampleOf(text, 'transactions_last_import_timestamp_seconds')).toBeGreaterThan(now - 3600);
  expect(sampleOf(text, 'transactions_engine_memory_bytes')).toBeGreaterThan(1e6);
  expect(sampleOf(text, 'transactions_disk_free_bytes')).toBeGreaterThan(1e6);
  expect(sampleOf(text, 'transactions_tokens_valid')).toBe(1);
  expect(sampleOf(text, 'transactions_tokens_ending')).toBe(1);
  expect(sampleOf(text, 'transactions_downloads_open')).toBe(0);
  expect(sampleOf(text, 'transactions_queries_waiting', 'class="list",priority="new"')).toBe(0);
});

test('a token that was just looked up is a cache hit', async () => {
  const labels = 'cache="tokens",result="hit"';
  await service.get('/api/me', token);
  const before = await sample('transactions_cache_lookups_total', labels);
  await service.get('/api/me', token);
  expect(await sample('transactions_cache_lookups_total', labels)).toBe(before + 1);
});

test('a lookup in the month cache is a hit if the cache answers all of it, else a miss', async () => {
  const metrics = new Metrics();
  const page = { bytes: Buffer.from('{}'), rows: 1, last: undefined };
  let isFollowed = false;
  const cache = meteredMonthCache(
    {
      page: async () => undefined,
      list: async () => ({ ...page, isFollowed }),
      count: async () => 0,
    },
    metrics,
  );
  await cache.page({} as never);
  await cache.count({} as never);
  await cache.list({} as never, 500);
  isFollowed = true;
  await cache.list({} as never, 500);
  await cache.list({} as never, 500);
  const text = await metrics.text();
  const lookups = (result: string) =>
    sampleOf(text, 'transactions_cache_lookups_total', `cache="months",result="${result}"`);
  expect([lookups('hit'), lookups('miss')]).toEqual([2, 3]);
});

test('counters of outcomes begin with 0, so that an alert sees their first change', async () => {
  const text = await new Metrics().text();
  const samples = text.split('\n').filter((line) => / 0$/.test(line) && line.includes('_total{'));
  expect(samples).toEqual([
    'transactions_resumptions_total{reason="failed"} 0',
    'transactions_resumptions_total{reason="released"} 0',
    ...IMPORT_OUTCOMES.map((result) => `transactions_imports_total{result="${result}"} 0`),
    'transactions_import_rows_total{result="imported"} 0',
    'transactions_import_rows_total{result="rejected"} 0',
    'transactions_webhook_deliveries_total{result="delivered"} 0',
    'transactions_webhook_deliveries_total{result="failed"} 0',
    'transactions_webhook_deliveries_total{result="gone"} 0',
  ]);
});

test('imports are counted by their outcome', async () => {
  const metrics = new Metrics();
  const report = { id: '', files: 1, rows: 5, seconds: 2, reasons: {}, faults: [] };
  const outcomes = [
    async () => ({ ...report, imported: 4, rejected: 1 }),
    async () => ({ ...report, imported: 0, rejected: 5 }),
    async () => await Promise.reject(new EngineFailure('gone')),
    async () => await Promise.reject(new DiskFull('full')),
    async () => await Promise.reject(new ImportAborted()),
  ];
  for (const importFiles of outcomes) {
    const operator = new MeteredOperator({ ...service.operator, importFiles } as never, metrics);
    await operator
      .importFiles({ files: [], round: false, rejects: true }, {})
      .catch(() => undefined);
  }
  const text = await metrics.text();
  for (const result of IMPORT_OUTCOMES) {
    expect(sampleOf(text, 'transactions_imports_total', `result="${result}"`)).toBe(1);
  }
  expect(sampleOf(text, 'transactions_import_rows_total', 'result="imported"')).toBe(4);
  expect(sampleOf(text, 'transactions_import_rows_total', 'result="rejected"')).toBe(6);
  expect(text).toContain('transactions_import_seconds_sum 4');
});

test('the admin server reports the health of the database', async () => {
  const { statusCode, body } = await service.monitoringServer.inject('/health');
  expect([statusCode, JSON.parse(body)]).toEqual([200, { status: 'ready' }]);
});

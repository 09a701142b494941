import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { auditLines } from '../support/requests/audit-lines.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';

/** Long ago, so that the date of today does not matter. */
const ROWS = [
  fileRow({ type: 'sales', created_at: '2020-01-15 10:00:00' }),
  fileRow({ type: 'sales', created_at: '2020-01-16 10:00:00' }),
  fileRow({ type: 'clics', created_at: '2020-01-15 10:00:00' }),
  fileRow({ type: 'clics', created_at: '2020-02-15 10:00:00' }),
];

let service: TestService;

beforeAll(async () => {
  service = await startService();
  await service.importText(ndjson(ROWS));
});

afterAll(async () => await service.close());

test('each month that retention removes has a line in the audit log before its rows disappear, and counts in the metrics', async () => {
  const retention = { sales: 12, clics: 12 };
  const linesOf = async () =>
    (await auditLines(service))
      .filter(({ event }) => event === 'month_removed')
      .map(({ details: { month, rows } }) => [month, rows]);
  await service.auditedOperator.retain({ retention, isDryRun: true });
  expect(await linesOf()).toEqual([]);
  const seen: unknown[] = [];
  const rowsLeft = select(ANY_ROW, plainStatement('SELECT transaction_id FROM transactions FINAL'));
  const onMonth = async () => {
    const { length } = await service.database.engine.rows(rowsLeft);
    seen.push([(await linesOf()).length, length]);
  };
  await service.auditedOperator.retain({ retention, isDryRun: false }, { onMonth });
  expect(seen).toEqual([
    [1, 4],
    [2, 1],
  ]);
  // Nothing is left to remove.
  await service.auditedOperator.retain({ retention, isDryRun: false });
  expect(await linesOf()).toEqual([
    ['2020-01', { clics: 1, sales: 2 }],
    ['2020-02', { clics: 1 }],
  ]);
  const { body } = await service.monitoringServer.inject('/metrics');
  const removed = body.split('\n').filter((line) => line.startsWith('transactions_retention_'));
  expect(removed.sort()).toEqual([
    'transactions_retention_months_total{type="clics"} 2',
    'transactions_retention_months_total{type="sales"} 1',
    'transactions_retention_rows_total{type="clics"} 2',
    'transactions_retention_rows_total{type="sales"} 2',
  ]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reader } from '../../src/engine/engine.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { planWith } from '../support/requests/plans.ts';
import { startService, type TestService } from '../support/requests/service.ts';

const at = (text: string): number => Date.parse(`${text}Z`) / 1000;

const TABLES = ['transactions'];
const JANUARY = planWith({
  role: 'admin',
  from: at('2026-01-01T00:00:00'),
  until: at('2026-02-01T00:00:00'),
});
const BY_CHANGE = { ...JANUARY, dateField: 'updated_at' as const };

describe.each(['embedded', 'server'] as const)('on the store %s', (store) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ store });
    await insert(1, '2026-01-10 00:00:00');
    await insert(2, '2026-06-10 00:00:00');
  });

  afterAll(async () => await service.close());

  async function insert(id: number, created: string) {
    await service.database.engine.execute(
      plainStatement(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
SELECT 'sales', ${id}, 1, 1, 1, 2, toDateTime('${created}', 'UTC') AS at, at`),
    );
  }

  const latest = async (versions: TableVersions, plan = JANUARY) =>
    await versions.versionOf(plan, TABLES, { isLatest: true });

  test('rows change the version for lists of their month, and for all lists by another date', async () => {
    const versions = new TableVersions(service.database.engine);
    const before = await latest(versions);
    const byChange = await latest(versions, BY_CHANGE);
    await insert(3, '2026-06-11 00:00:00');
    expect(await latest(versions)).toBe(before);
    expect(await latest(versions, BY_CHANGE)).not.toBe(byChange);
    await insert(4, '2026-01-11 00:00:00');
    expect(await latest(versions)).not.toBe(before);
  });

  test('merges of parts change no version', async () => {
    const { engine } = service.database;
    await insert(5, '2026-01-12 00:00:00');
    const before = await latest(new TableVersions(engine));
    await engine.execute(plainStatement('OPTIMIZE TABLE transactions FINAL'));
    expect(await latest(new TableVersions(engine))).toBe(before);
  });

  test('the period of all rows reaches from the first to the last date of creation', async () => {
    const period = await new TableVersions(service.database.engine).periodOf(JANUARY);
    expect(period.from).toBe(at('2026-01-10T00:00:00'));
    expect(period.until).toBeGreaterThan(at('2026-06-10T00:00:00'));
    expect(period.until).toBeLessThan(at('2026-07-01T00:00:00'));
  });

  test('concurrent requests for a version share one statement', async () => {
    const { engine } = service.database;
    let statements = 0;
    const reader: Reader = {
      versions: engine.versions,
      read: (statement, signal) => engine.read(statement, signal),
      rows: (statement) => {
        statements += 1;
        return engine.rows(statement);
      },
    };
    const versions = new TableVersions(reader);
    const asked = Array.from({ length: 20 }, () => versions.versionOf(JANUARY, TABLES));
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    await versions.versionOf(JANUARY, TABLES);
    expect(statements).toBe(1);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reader } from '../../src/engine/engine.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { planWith } from '../support/requests/plans.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';

const at = (text: string): number => Date.parse(`${text}Z`) / 1000;

const TABLES = ['transactions'];
const JANUARY = planWith({
  role: 'admin',
  from: at('2026-01-01T00:00:00'),
  until: at('2026-02-01T00:00:00'),
});
const BY_CHANGE = { ...JANUARY, dateField: 'updated_at' as const };

/** A reader without data versions, like that of a server to which other processes can write. */
const likeServers = (engine: Reader): Reader => ({
  versions: undefined,
  read: (statement, signal) => engine.read(statement, signal),
  rows: (statement) => engine.rows(statement),
});

// `npm test` has no server. It reads an embedded database like one.
describe.each(['embedded', 'server'] as const)('on the store %s', (store) => {
  let service: TestService;
  let reader: Reader;

  beforeAll(async () => {
    service = await startService({ store: fullOrShort(store, 'embedded') });
    const { engine } = service.database;
    reader = store === 'embedded' || IS_FULL ? engine : likeServers(engine);
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
    const versions = new TableVersions(reader);
    const before = await latest(versions);
    const byChange = await latest(versions, BY_CHANGE);
    await insert(3, '2026-06-11 00:00:00');
    expect(await latest(versions)).toBe(before);
    expect(await latest(versions, BY_CHANGE)).not.toBe(byChange);
    await insert(4, '2026-01-11 00:00:00');
    expect(await latest(versions)).not.toBe(before);
  });

  test('merges of parts change no version', async () => {
    await insert(5, '2026-01-12 00:00:00');
    const before = await latest(new TableVersions(reader));
    const merge = plainStatement('OPTIMIZE TABLE transactions FINAL');
    await service.database.engine.execute(merge);
    expect(await latest(new TableVersions(reader))).toBe(before);
  });

  test('the period of all rows reaches from the first to the last date of creation', async () => {
    const period = await new TableVersions(reader).periodOf(JANUARY);
    expect(period.from).toBe(at('2026-01-10T00:00:00'));
    expect(period.until).toBeGreaterThan(at('2026-06-10T00:00:00'));
    expect(period.until).toBeLessThan(at('2026-07-01T00:00:00'));
  });

  test('concurrent requests for a version share one statement', async () => {
    let statements = 0;
    const counted: Reader = {
      versions: reader.versions,
      read: (statement, signal) => reader.read(statement, signal),
      rows: (statement) => {
        statements += 1;
        return reader.rows(statement);
      },
    };
    const versions = new TableVersions(counted);
    const asked = Array.from({ length: 20 }, () => versions.versionOf(JANUARY, TABLES));
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    await versions.versionOf(JANUARY, TABLES);
    expect(statements).toBe(1);
  });
});

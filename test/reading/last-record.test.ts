import { afterAll, beforeAll, expect, test } from 'vitest';
import { clearZoneRules, startOfDay } from '../../src/contract/query/calendar.ts';
import { useZoneRules } from '../../src/database/time-zone-setting.ts';
import { positionAfter } from '../../src/reading/last-record.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { openTestEngine, type TestEngine } from '../support/databases/engine.ts';
import { planWith } from '../support/requests/plans.ts';

/**
 * Clocks went back from 00:01 on 1 November 2009 to 23:01 on 31 October. The engine, which changes them only at
 * quarters of an hour, shows the last hour of October twice.
 */
const TIME_ZONE = 'America/St_Johns';

const PLAN = planWith({
  role: 'admin',
  from: startOfDay('2009-10-01', TIME_ZONE),
  until: startOfDay('2009-11-30', TIME_ZONE, 1),
});

const INSTANTS = [
  ['2009-10-31 23:30:00', '2009-11-01T02:00:00Z'],
  ['2009-10-31 23:00:30', '2009-11-01T02:30:30Z'],
  ['2009-10-31 23:30:00', '2009-11-01T03:00:00Z'],
  ['2009-11-01 00:00:30', '2009-11-01T03:30:30Z'],
  ['2009-11-01 00:05:00', '2009-11-01T03:35:00Z'],
] as const;

let database: TestEngine;

beforeAll(async () => {
  database = await openTestEngine(TIME_ZONE);
  await useZoneRules(database.engine, TIME_ZONE);
  for (const [at, [, instant]] of INSTANTS.entries()) {
    const created = `toDateTime(${Date.parse(instant) / 1000})`;
    await database.run(`INSERT INTO transactions
(type, transaction_id, program_id, publisher_id, support_id, status, created_at, updated_at)
SELECT 'sales', ${at + 1}, 1, 1, 1, 2, ${created}, ${created}`);
  }
});

afterAll(async () => {
  await database.close();
  clearZoneRules();
});

const positionOf = async (id: number, local: string) => {
  const { engine } = database;
  const deps = { reader: engine, timeZone: TIME_ZONE, tableVersions: new TableVersions(engine) };
  const record = Buffer.from(JSON.stringify({ transaction_id: id, created_at: local }));
  return await positionAfter(record, PLAN, deps);
};

test.each(INSTANTS.map(([local, instant], at) => [local, instant, at + 1] as const))(
  'the position of a record dated %s (local time) is its own instant, %s',
  async (local, instant, id) => {
    const at = Date.parse(instant) / 1000;
    expect(await positionOf(id, local)).toEqual({ at, transactionId: id });
  },
);

test('a removed record that was dated in the repeated hour has no position', async () => {
  await expect(positionOf(99, '2009-10-31 23:30:00')).rejects.toThrow('has been removed');
});

import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clearZoneRules,
  secondsOfWallClock,
  startOfDay,
} from '../../src/contract/query/calendar.ts';
import { useZoneRules } from '../../src/database/time-zone-setting.ts';
import { INTEGER, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

/** Zones in which the rules of the engine and of Node.js differ, or have differed, and others with rare shifts. */
const ZONES = [
  'America/Vancouver',
  'America/Edmonton',
  'America/Moncton',
  'Africa/El_Aaiun',
  'Antarctica/Casey',
  'Asia/Hebron',
  'Australia/Lord_Howe',
  'Europe/Chisinau',
  'Pacific/Enderbury',
  'Pacific/Guam',
  'UTC',
];

let service: TestService;

beforeAll(async () => {
  service = await startService({ timeZone: 'America/Vancouver' });
});

afterAll(async () => {
  await service.close();
  clearZoneRules();
});

const SHOWN = v.object({ at: INTEGER, local: v.string() });

/** Random instants, and those of the days on which the clock is changed, as the engine writes them. */
async function shownIn(zone: string) {
  const at = (instant: string) => `toDateTime(${instant}, '${zone}')`;
  const text = `SELECT instant AS at, formatDateTime(${at('instant')}, '%F %T') AS local FROM (
  SELECT toUInt32(cityHash64(number) % 4294900000) AS instant FROM numbers(${fullOrShort(50_000, 2000)})
  UNION ALL SELECT toUInt32(day + 900 * arrayJoin(range(96)) - arrayJoin([0, 1])) AS instant FROM (
    SELECT number * 86400 AS day FROM numbers(1, 49700)
    WHERE timezoneOffset(${at('day')}) != timezoneOffset(${at('day + 86400')}) AND number % ${fullOrShort(1, 5)} = 0))`;
  return await service.database.engine.rows(select(SHOWN, plainStatement(text)));
}

test.each(ZONES)(
  'dates of the engine in %s are read as the instants that they stand for',
  async (zone) => {
    await useZoneRules(service.database.engine, zone);
    const shown = await shownIn(zone);
    expect(shown.length).toBeGreaterThanOrEqual(2000);
    const wrong = shown.filter(({ at, local }) => !secondsOfWallClock(local, zone).includes(at));
    expect(wrong).toEqual([]);
    const early = shown.filter(({ at, local }) => startOfDay(local.slice(0, 10), zone) > at);
    expect(early).toEqual([]);
  },
);

test('a list of a day has the rows that are dated on that day, whatever Node.js knows of the zone', async () => {
  const dates = ['2026-11-27 23:30:00', '2026-11-28 00:10:00', '2026-11-28 23:30:00'];
  const rows = dates.map((created_at, at) =>
    fileRow({ transaction_id: at + 1, created_at, updated_at: created_at }),
  );
  await service.importText(ndjson(rows), 'sales');
  const token = await service.token({ role: 'admin' });
  const day = 'type=sales&start_date=2026-11-28&end_date=2026-11-28';
  const read = async (path: string) =>
    (await (await service.get(`/api/admin/${path}`, token)).json()) as readonly object[];
  expect(await read(`transactions?${day}&fields=created_at`)).toEqual([
    { created_at: dates[1] },
    { created_at: dates[2] },
  ]);
  expect(await read(`transactions/summary?${day}&group_by=day`)).toMatchObject([
    { day: '2026-11-28', count: 2 },
  ]);
});

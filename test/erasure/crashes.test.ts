import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import type { ErasureMode } from '../../src/schema/erasure-tables.ts';
import { eraseDying } from '../support/crashes/dying-erasure.ts';
import { newDatabase } from '../support/databases/copied-database.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { BYTES_OF_PERSON, PERSON, personRow } from '../support/rows/person.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { filesWith } from './raw-files.ts';

const MONTHS = ['2026-01', '2026-02', '2026-03'].map((month) => `${month}-10 12:00:00`);
const OTHERS = MONTHS.flatMap((created_at) =>
  Array.from({ length: 10 }, () => fileRow({ created_at, clickid: 'another' })),
);
const MINE = MONTHS.map((created_at) => personRow({ created_at }));

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-erasure-'));
  const directory = join(home, 'full');
  await newDatabase(directory, 'UTC');
  await writeFile(join(home, 'file.csv'), csv([...OTHERS, ...MINE]));
  const operator = new LocalOperator(
    await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' }),
  );
  const files = [{ path: join(home, 'file.csv'), name: 'file.csv' }];
  await operator.importFiles({ files, round: false, rejects: false }, {});
  await operator.close();
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

const orderOf = (mode: ErasureMode) =>
  ({ selectors: [{ field: 'clickid', values: [PERSON.clickid] }], mode }) as const;

async function copied(name: string): Promise<string> {
  const directory = join(home, name);
  await cp(join(home, 'full'), directory, { recursive: true, verbatimSymlinks: true });
  return directory;
}

/** Counts the visible rows of each table, and those among them that have the person's click id. */
const SHOWN = ['transactions', 'affiliate_transactions', 'transactions_by_program']
  .map(
    (table) =>
      `SELECT '${table}' AS place, count() AS shown, countIf(position(record_head, '${PERSON.clickid}') > 0) AS personal FROM ${table} FINAL`,
  )
  .join(' UNION ALL ');

/**
 * What the tables show when the database is opened again (`first`), and after another erasure (`again`).
 * `erasedPredicate` is whether no file has a value of the person before that erasure.
 */
async function seenIn(directory: string, mode: ErasureMode) {
  const database = await openDatabase({ url: `chdb:${directory}`, timeZone: 'UTC' });
  const operator = new LocalOperator(database);
  const shown = async () => {
    const rows = await database.engine.rows(
      select(ANY_ROW, plainStatement(`SELECT DISTINCT shown, personal FROM (${SHOWN})`)),
    );
    return rows.map((row) => Object.values(row as Record<string, unknown>).map(Number));
  };
  const tables = plainStatement(
    "SELECT name FROM system.tables WHERE match(name, '^(import|erasure)_')",
  );
  try {
    const first = await shown();
    const left = await filesWith(directory, BYTES_OF_PERSON);
    await operator.erase(orderOf(mode));
    expect(await database.engine.rows(select(ANY_ROW, tables))).toEqual([]);
    return { first, erasedPredicate: left.length === 0, again: await shown() };
  } finally {
    await operator.close();
  }
}

const BEFORE = [[OTHERS.length + MINE.length, MINE.length]];
const AFTER = {
  empty: [[OTHERS.length + MINE.length, 0]],
  remove: [[OTHERS.length, 0]],
} as const;

/** Both modes execute the same steps, so the second one is stopped after fewer statements. `npm test` has one mode. */
const STRIDES = { remove: 1, empty: 3 } as const satisfies Record<ErasureMode, number>;

/** When a process dies, and whether the erasure is marked as begun then. */
interface Death {
  readonly moment: number | string;
  readonly isBegun: boolean;
}

/** Right before the mark, and before the first merge. */
const FEW_MOMENTS: readonly Death[] = [
  { moment: "'erasing'", isBegun: false },
  { moment: 'OPTIMIZE', isBegun: true },
];

/** Every statement of a whole erasure. */
async function everyMoment(mode: ErasureMode): Promise<readonly Death[]> {
  const whole = await eraseDying(`chdb:${await copied('whole')}`, orderOf(mode), 0);
  expect(await filesWith(join(home, 'whole'), BYTES_OF_PERSON)).toEqual([]);
  await rm(join(home, 'whole'), { recursive: true, force: true });
  const { statements, begun } = whole;
  const stride = STRIDES[mode];
  return Array.from({ length: Math.floor(statements / stride) }, (_, at) => {
    const moment = (at + 1) * stride;
    return { moment, isBegun: moment >= begun };
  });
}

const MODES = fullOrShort<readonly ErasureMode[]>(['empty', 'remove'], ['remove']);

test.each(MODES)(
  'a crash after any statement of an erasure leaves all values or none, in mode %s',
  async (mode) => {
    for (const { moment, isBegun } of IS_FULL ? await everyMoment(mode) : FEW_MOMENTS) {
      const directory = await copied('crashed');
      const crash = await eraseDying(`chdb:${directory}`, orderOf(mode), moment);
      expect(crash.signal).toBe('SIGKILL');
      const { first, erasedPredicate, again } = await seenIn(directory, mode);
      // Once the erasure is marked as begun, the next process completes it.
      expect([moment, first]).toEqual([moment, isBegun ? AFTER[mode] : BEFORE]);
      expect([moment, erasedPredicate]).toEqual([moment, isBegun]);
      expect(again).toEqual(AFTER[mode]);
      expect(await filesWith(directory, BYTES_OF_PERSON)).toEqual([]);
      await rm(directory, { recursive: true, force: true });
    }
  },
);

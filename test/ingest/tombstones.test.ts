import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LocalOperator } from '../../src/control/local-operator.ts';
import { recoverImports } from '../../src/ingest/staging/recover-others.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { clusterNodesOf } from '../../src/schema/cluster-nodes.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

const PROGRAMS = [1, 2, 3, 4];
const PERIOD = 'type=sales&start_date=2026-01-01&end_date=2026-03-31';

interface Sale {
  readonly transaction_id: number;
  readonly program_id: number;
}

let service: TestService;
let token: string;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'transactions-tombstones-'));
  // The month cache does not need tombstones, so the engine must answer.
  service = await startService({ timeZone: 'Europe/Paris', settings: { memoryCache: 0 } });
  token = await service.token({ role: 'admin' });
});

afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true, force: true });
});

const sales = async (question = '', who = token): Promise<readonly Sale[]> => {
  const response = await service.get(`/api/admin/transactions?${PERIOD}${question}`, who);
  return (await response.json()) as Sale[];
};

/** A version of a transaction, with its program and date. */
const version = (id: number, program: number, minute: number) =>
  fileRow({
    transaction_id: id,
    program_id: program,
    publisher_id: 100 + (id % 3),
    created_at: `2026-0${1 + (id % 3)}-10 12:00:00`,
    updated_at: `2026-04-01 10:${String(minute).padStart(2, '0')}:00`,
  });

/** Seeded, so the numbers are the same in each run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state;
  }
}

async function importVersions(...rows: ReturnType<typeof version>[]) {
  await service.importText(csv(rows), 'sales');
}

describe('after imports of several versions', () => {
  /** After each import, the programs that list each transaction. */
  const programsAfter: Map<number, readonly number[]>[] = [];

  // The same imports for all of these tests.
  beforeAll(async () => {
    for (const versions of [
      [version(1, 1, 1), version(2, 3, 30), version(7, 1, 1), version(7, 2, 2)],
      [version(1, 2, 2), version(2, 4, 20)],
      ...fullOrShort([[version(1, 1, 3)]], []),
    ]) {
      await importVersions(...versions);
      const found = new Map<number, readonly number[]>();
      for (const program of PROGRAMS) {
        for (const { transaction_id: id } of await sales(`&program_id=${program}`))
          found.set(id, [...(found.get(id) ?? []), program]);
      }
      programsAfter.push(found);
    }
  });

  test('a transaction that changes its program is listed under the new program only', () => {
    const programs = programsAfter.map((found) => found.get(1));
    expect(programs).toEqual(fullOrShort([[1], [2], [1]], [[1], [2]]));
  });

  test('a new transaction with versions of two programs in one file is listed under the newest only', () => {
    expect(programsAfter[0]?.get(7)).toEqual([2]);
  });

  test('an older version that is imported late does not become visible', () => {
    expect(programsAfter[1]?.get(2)).toEqual([3]);
  });
});

test('an import that is finished after a later one makes no old version visible', async () => {
  const { database } = service;
  await importVersions(version(3, 1, 1));
  const engine = watchedEngine(database.engine, async (server, statement, watch) => {
    if (statement.text.includes('ATTACH PARTITION')) throw new Error('Killed.');
    await server.execute(statement, watch);
  });
  const dying = new LocalOperator({ ...database, engine });
  const path = join(directory, 'rows.ndjson');
  await writeFile(path, ndjson([{ ...version(3, 2, 2), type: 'sales' }]));
  const order = { files: [{ path, name: path }], round: false, rejects: false };
  await expect(dying.importFiles(order, {})).rejects.toThrow('Killed.');
  await importVersions(version(3, 3, 3));
  await recoverImports(await clusterNodesOf(database.engine, database.topology));
  const programsWithIt = PROGRAMS.map(async (program) =>
    (await sales(`&program_id=${program}`)).some((sale) => sale.transaction_id === 3),
  );
  expect(await Promise.all(programsWithIt)).toEqual([false, false, true, false]);
});

test('after random moves, the lists of programs and websites agree with the list of all', async () => {
  const random = numbers(7);
  const next = (below: number) => Math.floor((random.next().value ?? 0) / 65_536) % below;
  for (let round = 0; round < fullOrShort(8, 2); round += 1) {
    const seen = new Set<string>();
    const rows = Array.from({ length: 60 }, () => version(10 + next(40), 1 + next(4), next(60)));
    await importVersions(
      ...rows.filter(({ transaction_id, updated_at }) => {
        const key = `${transaction_id} ${updated_at}`;
        return !seen.has(key) && seen.add(key);
      }),
    );
    if (round % 3 === fullOrShort(2, 1)) {
      for (const table of ['transactions', 'transactions_by_program']) {
        await service.database.engine.execute(plainStatement(`OPTIMIZE TABLE ${table} FINAL`));
      }
    }
    await checkAll();
  }
});

async function checkAll() {
  const all = await sales();
  expect(all.length).toBeGreaterThan(20);
  for (const program of PROGRAMS) {
    const own = all.filter((sale) => sale.program_id === program);
    expect(await sales(`&program_id=${program}`)).toEqual(own);
  }
  for (const website of [100, 101, 102]) {
    const own = all.filter((sale) => 100 + (sale.transaction_id % 3) === website);
    expect(await sales(`&publisher_id=${website}`)).toEqual(own);
    const both = own.filter((sale) => sale.program_id === 2);
    expect(await sales(`&publisher_id=${website}&program_id=2`)).toEqual(both);
  }
  const limited = await service.token({ role: 'admin', programIds: [1, 3] });
  const theirs = all.filter((sale) => sale.program_id === 1 || sale.program_id === 3);
  expect(await sales('', limited)).toEqual(theirs);
}

import { Temporal } from 'temporal-polyfill';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startOfDay } from '../../src/contract/query/calendar.ts';
import { KINDS, type Kind } from '../../src/contract/record/kinds.ts';
import { keptFrom, type Retention, readRetention } from '../../src/contract/record/retention.ts';
import { changeAddressVisibility } from '../../src/database/change-ip-addresses.ts';
import { retain } from '../../src/database/retain.ts';
import { type Engine, EngineFailure, type Reader } from '../../src/engine/engine.ts';
import { createStaging, dropStaging, stagingOf } from '../../src/ingest/staging/staging.ts';
import { ANY_ROW, select } from '../../src/plan/select.ts';
import { plainStatement } from '../../src/plan/sql.ts';
import { readList } from '../../src/reading/list-stream.ts';
import { TableVersions } from '../../src/reading/table-versions.ts';
import { clusterNodesOf, shardsOf } from '../../src/schema/cluster-nodes.ts';
import { TRANSACTION_TABLES } from '../../src/schema/transaction-tables.ts';
import { storeFirstKeptMonths } from '../../src/schema/values/kept-months.ts';
import {
  endLease,
  holdingLease,
  leaseHolder,
  renewLease,
  takeLease,
} from '../../src/schema/values/maintenance-lease.ts';
import { storedAddressVisibility } from '../../src/schema/values/stored-address-visibility.ts';
import { databaseWithManySales, MANY_SALES } from '../support/databases/inserted/many-sales.ts';
import { type StoreKind, TESTED_STORES } from '../support/databases/tested-stores.ts';
import { watchedEngine } from '../support/databases/watched-engine.ts';
import { expectNotModified, lastingTag } from '../support/requests/lasting-tag.ts';
import { planWith } from '../support/requests/plans.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { everyNth } from '../support/run/sampled.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { testInFull } from '../support/run/test-in-full.ts';

const TIME_ZONE = 'Europe/Paris';
const TODAY = Temporal.PlainDate.from('2026-11-22');

/** Impressions from October are kept, sales from May. */
const RETENTION = readRetention('impressions=1 month, sales=6 months, *=24 months');

const MONTHS = ['2026-04', '2026-05', '2026-09', '2026-10', '2026-11'];

/** A row of one publisher in the first second of each month, and of another in the last second of its 30th day. */
const rowsOf = (type: Kind): readonly FileRow[] =>
  MONTHS.flatMap((month) =>
    [`${month}-01 00:00:00`, `${month}-30 23:59:59`].map((created_at, at) =>
      fileRow({ type, created_at, publisher_id: 100 + at }),
    ),
  );

const ROWS: readonly FileRow[] = [...rowsOf('impressions'), ...rowsOf('sales'), ...rowsOf('clics')];

const isKept = ({ type, created_at }: FileRow): boolean => {
  const first = type === 'impressions' ? '2026-10' : type === 'sales' ? '2026-05' : '2024-11';
  return String(created_at) >= first;
};

const idsOf = (rows: readonly FileRow[]) => rows.map((row) => Number(row.transaction_id)).sort();

let service: TestService;
let admin: string;

async function run(
  isDryRun = false,
  retention: Retention = RETENTION,
  engine: Engine = service.database.engine,
) {
  const nodes = await clusterNodesOf(engine, service.database.topology);
  return await retain(nodes, TIME_ZONE, { retention, isDryRun }, {}, TODAY);
}

const rowsIn = async (table: string) => {
  const text = `SELECT toUInt32(transaction_id) AS id FROM ${table} FINAL ORDER BY id`;
  const rows = await service.database.engine.rows(select(ANY_ROW, plainStatement(text)));
  return (rows as readonly { id: number }[]).map(({ id }) => id);
};

async function expectRows(rows: readonly FileRow[]): Promise<void> {
  for (const { table } of TRANSACTION_TABLES) {
    expect(await rowsIn(table), table).toEqual(idsOf(rows));
  }
  await service.monthCache?.settled();
  for (const kind of KINDS) {
    const forms = ['', '&publisher_id=100,101', '&limit=10000', '&date_field=updated_at'];
    // In `npm test`, each kind is read in one form only, not the same for all.
    for (const more of everyNth(forms, forms.length, KINDS.indexOf(kind))) {
      const path = `/api/admin/transactions?type=${kind}&start_date=2026-01-01&end_date=2026-12-31`;
      const list = await (await service.get(path + more, admin)).json();
      const ids = (list as { transaction_id: number }[]).map((row) => row.transaction_id);
      expect(ids.sort(), path + more).toEqual(idsOf(rows.filter(({ type }) => type === kind)));
    }
  }
}

async function start(store: StoreKind): Promise<void> {
  service = await startService({ store, timeZone: TIME_ZONE });
  admin = await service.token({});
}

describe.each(TESTED_STORES)('on the store %s', (store) => {
  beforeEach(async () => await start(store));

  afterEach(async () => await service.close());

  test('the rows that are not kept are removed from all tables, and no others', async () => {
    await service.importText(ndjson(ROWS));
    const expectOtherTags = IS_FULL ? async () => undefined : await noteTags();
    const planned = await run(true);
    await expectRows(ROWS);
    expect(planned.removed.map(({ month, type, rows }) => [month, type, rows])).toEqual([
      ['202604', 'impressions', 2],
      ['202604', 'sales', 2],
      ['202605', 'impressions', 2],
      ['202609', 'impressions', 2],
    ]);
    expect(await run()).toEqual(planned);
    await expectOtherTags();
    await expectRows(ROWS.filter(isKept));
    expect((await run()).removed).toEqual([]);
    if (!IS_FULL) await expectRefused();
  });

  // Only in the full run. In `npm test`, the test above removes rows of several months.
  testInFull('a month of which nothing is kept is dropped', async () => {
    await service.importText(ndjson(ROWS));
    await run(false, readRetention('*=5 months'));
    await expectRows(ROWS.filter(({ created_at }) => String(created_at) >= '2026-06'));
  });

  /** Rows that were removed are refused, with the reason, and not imported again. */
  async function expectRefused(): Promise<void> {
    await expect(service.importText(ndjson(ROWS))).rejects.toThrow('beyond_retention');
    await expectRows(ROWS.filter(isKept));
  }

  // Only in the full run. In `npm test`, the first test of this file ends with an import of removed rows.
  testInFull(
    'a row that was removed is refused when it is imported again, with the reason',
    async () => {
      await service.importText(ndjson(ROWS));
      await run();
      await expectRefused();
      await service.importText(ndjson(ROWS.filter(isKept)));
      await run(false, readRetention('*=100 months'));
      await service.importText(ndjson(ROWS));
      await expectRows(ROWS);
    },
  );

  /** Notes the tags. Returns a function that expects, after a removal, other ones where rows were removed only. */
  async function noteTags(): Promise<() => Promise<void>> {
    const paths = ['', '/summary'].flatMap((path) =>
      ['impressions', 'sales'].flatMap((type) =>
        ['', '&publisher_id=100'].map(
          (more) =>
            `/api/admin/transactions${path}?type=${type}&start_date=2026-04-10&end_date=2026-09-30${more}`,
        ),
      ),
    );
    paths.push('/api/admin/performance?start_date=2026-04-10&end_date=2026-09-30');
    const kept = `/api/admin/transactions?type=sales&start_date=2026-11-01&end_date=2026-11-30`;
    const tagOf = async (path: string) => (await service.get(path, admin)).headers.get('etag');
    const before = await Promise.all(paths.map(tagOf));
    const getKept = async (headers: Readonly<Record<string, string>>) =>
      await service.get(kept, admin, headers);
    const tagOfKept = await lastingTag(getKept);
    return async () => {
      for (const [at, path] of paths.entries()) {
        const headers = { 'if-none-match': before[at] ?? '' };
        expect((await service.get(path, admin, headers)).status, path).toBe(200);
      }
      await expectNotModified(getKept, tagOfKept);
    };
  }

  // Only in the full run. In `npm test`, the first test of this file compares the tags.
  testInFull(
    'every list, summary and performance with removed rows gets another tag, and others keep theirs',
    async () => {
      await service.importText(ndjson(ROWS));
      const expectOtherTags = await noteTags();
      await run();
      await expectOtherTags();
    },
  );

  test('a removal that stops anywhere is finished by the next one, and loses nothing', async () => {
    await service.importText(ndjson(ROWS));
    let stopped = 0;
    for (let at = 1; ; at += store === 'embedded' ? fullOrShort(1, 25) : 12) {
      let executed = 0;
      const failing = watchedEngine(service.database.engine, async (server, statement, watch) => {
        executed += 1;
        // Later statements fail too, as after a kill.
        if (executed >= at) throw new Error('stopped');
        await server.execute(statement, watch);
      });
      const isStopped = await run(false, RETENTION, failing).then(
        () => false,
        () => true,
      );
      const left = new Set(await rowsIn('transactions'));
      for (const id of idsOf(ROWS.filter(isKept))) expect(left).toContain(id);
      if (!isStopped) break;
      stopped += 1;
      // Ends the lease of the killed process, which would end by itself later.
      await service.database.engine.execute(
        plainStatement(
          `INSERT INTO keys SELECT name, '{"holder":"","until":0}', precedence + 1 FROM keys FINAL WHERE name = 'maintenance'`,
        ),
      );
    }
    expect(stopped).toBeGreaterThan(1);
    await run();
    await expectRows(ROWS.filter(isKept));
    const drafts = await service.database.engine.rows(
      select(
        ANY_ROW,
        plainStatement("SELECT name FROM system.tables WHERE name LIKE 'retention%'"),
      ),
    );
    expect(drafts).toEqual([]);
  });

  test.runIf(store === 'cluster')(
    'rows that an interrupted removal has left on some replicas are removed by the next one',
    async () => {
      await service.importText(ndjson(ROWS));
      const expired =
        "(type = 'impressions' AND toYYYYMM(created_at) < 202610 OR type = 'sales' AND toYYYYMM(created_at) < 202605)";
      const { engine, topology } = service.database;
      // The first replica is read: a server prefers its own tables.
      for (const [first] of await shardsOf(await clusterNodesOf(engine, topology))) {
        for (const { table } of TRANSACTION_TABLES) {
          const change = `DELETE WHERE ${expired} SETTINGS mutations_sync = 2`;
          await first.execute(plainStatement(`ALTER TABLE ${table}_local ${change}`));
        }
      }
      const { removed } = await run();
      expect(removed.reduce((sum, { rows }) => sum + rows, 0)).toBe(
        ROWS.filter((row) => !isKept(row)).length,
      );
      for (const server of engine.each()) {
        const text = `SELECT transaction_id FROM transactions_local WHERE ${expired}`;
        expect(await server.rows(select(ANY_ROW, plainStatement(text)))).toEqual([]);
      }
    },
  );
});

describe.each(TESTED_STORES)('while nothing can be removed from the store %s', (store) => {
  beforeAll(async () => {
    await start(store);
    await service.importText(ndjson(ROWS));
  });

  afterAll(async () => await service.close());

  test('nothing is removed while an import has staging tables or an erasure has not ended, and no import begins meanwhile', async () => {
    const { engine, topology } = service.database;
    const nodes = await clusterNodesOf(engine, topology);
    if (engine.versions === undefined) {
      await createStaging(
        nodes,
        stagingOf('ab'),
        (await storedAddressVisibility(engine)).visibility,
      );
      await expect(run()).rejects.toThrow('Nothing was removed: an import or a backup is running.');
      await dropStaging(nodes, stagingOf('ab'));
    }
    const unfinished = "INSERT INTO erasures SELECT 'ef', 'empty', 'erasing', now64(3, 'UTC')";
    await engine.execute(plainStatement(unfinished));
    await expect(run()).rejects.toThrow('Nothing was removed: an erasure has not ended.');
    await engine.execute(plainStatement(unfinished.replace('erasing', 'done')));
    expect(await takeLease(nodes, 'another')).toBe(true);
    await expect(run()).rejects.toThrow('another process is removing rows');
    await expect(service.importText(ndjson(ROWS))).rejects.toThrow('are being removed');
    const wanted = { admin: 'full', affiliate: 'hidden' } as const;
    const change = changeAddressVisibility(nodes, {
      timeZone: TIME_ZONE,
      wanted,
      announce: () => undefined,
    });
    await expect(change).rejects.toThrow('The change of IP_ADDRESSES was not made');
    expect(await storedAddressVisibility(engine)).toMatchObject({
      isPending: false,
      visibility: { affiliate: 'full' },
    });
    await endLease(nodes, 'another');
    await expectRows(ROWS);
  });

  test('nothing is removed if the lease ends while a month is prepared, because an import may have begun', async () => {
    const end = `INSERT INTO keys SELECT name, '{"holder":"","until":0}', precedence + 1 FROM keys FINAL WHERE name = 'maintenance'`;
    const engine = watchedEngine(service.database.engine, async (server, statement, watch) => {
      await server.execute(statement, watch);
      if (statement.text.startsWith('INSERT INTO retention'))
        await server.execute(plainStatement(end));
    });
    await expect(run(false, RETENTION, engine)).rejects.toThrow(
      'The removal of old transactions has stopped',
    );
    await expectRows(ROWS);
  });

  test('a lease is renewed while work takes long, and is never taken back once it has ended', async () => {
    const { engine, topology } = service.database;
    const nodes = await clusterNodesOf(engine, topology);
    expect(await takeLease(nodes, 'one')).toBe(true);
    const renewals: boolean[] = [];
    await holdingLease(nodes, 'one', async (requireLease) => {
      await requireLease();
      renewals.push(await renewLease(nodes, 'one'));
      await endLease(nodes, 'one');
      await expect(requireLease()).rejects.toThrow('The removal of old transactions has stopped');
      renewals.push(await renewLease(nodes, 'one'));
      expect(await takeLease(nodes, 'another')).toBe(true);
      await expect(requireLease()).rejects.toThrow('The removal of old transactions has stopped');
    });
    expect(renewals).toEqual([true, false]);
    expect(await leaseHolder(nodes)).toBe('another');
    await endLease(nodes, 'another');
  });

  test('a lease is renewed again and again while it is held, and not after that', async () => {
    const { engine, topology } = service.database;
    let renewals = 0;
    const counting = watchedEngine(engine, async (server, statement, watch) => {
      if (statement.text.startsWith('INSERT INTO keys')) renewals += 1;
      await server.execute(statement, watch);
    });
    const nodes = await clusterNodesOf(counting, topology);
    expect(await takeLease(nodes, 'one')).toBe(true);
    const wait = async () => await expect.poll(() => renewals).toBeGreaterThan(4);
    await holdingLease(nodes, 'one', wait, { interval: 5 });
    expect(await leaseHolder(nodes)).toBeUndefined();
  });
});

/** More rows than one block, on one day in March. */
const MANY = fullOrShort(400_000, 10_000);

describe('while rows are removed, a download', () => {
  beforeEach(async () => {
    const makeEmbedded = databaseWithManySales(MANY);
    service = await startService({ timeZone: TIME_ZONE, makeEmbedded });
  });

  afterEach(async () => await service.close());

  const remove = async (retention: Retention, engine = service.database.engine) => {
    const nodes = await clusterNodesOf(engine, service.database.topology);
    return await retain(nodes, TIME_ZONE, { retention, isDryRun: false }, {}, TODAY);
  };

  /** Reads a list. After its first block, rows are removed, and its query fails and is repeated. */
  async function readResumed(removeRows: () => Promise<unknown>): Promise<string> {
    const { engine } = service.database;
    let isRemoved = false;
    const reader: Reader = {
      rows: async (statement) => await engine.rows(statement),
      get versions() {
        return engine.versions;
      },
      async *read(statement, signal) {
        for await (const block of engine.read(statement, signal)) {
          yield block;
          if (isRemoved) continue;
          isRemoved = true;
          await removeRows();
          throw new EngineFailure('Killed.');
        }
      },
    };
    const plan = planWith({
      role: 'admin',
      kind: 'sales',
      from: startOfDay('2026-03-01', TIME_ZONE),
      until: startOfDay('2026-03-01', TIME_ZONE, 1),
    });
    const deps = { reader, timeZone: TIME_ZONE, tableVersions: new TableVersions(reader) };
    const blocks = readList(plan, deps, new AbortController().signal);
    return Buffer.concat(await Array.fromAsync(blocks)).toString();
  }

  test('of these rows is cut when it resumes', async () => {
    const removing = async () => await remove({ sales: 1 });
    await expect(readResumed(removing)).rejects.toThrow('Retention removes rows');
  });

  /** When a download begins, and which one of the times that a removal stores the months then cuts it. */
  const BEGINNINGS = [
    ['after an interrupted removal', 1],
    ['while a removal prepares a month', 2],
    ['right before the rows disappear', 3],
  ] as const;

  // In `npm test`, the next test covers the beginning right before the rows disappear.
  test.each(everyNth(BEGINNINGS, BEGINNINGS.length, 1))(
    'that begins %s is cut when it resumes',
    async (_, cutting) => {
      const { engine, topology } = service.database;
      const nodes = await clusterNodesOf(engine, topology);
      await storeFirstKeptMonths(nodes, keptFrom({ sales: 1 }, TODAY));
      let stored = 0;
      const storingOnce = watchedEngine(engine, async (server, statement, watch) => {
        const isStoring = Object.values(statement.values).includes('kept_from');
        if (isStoring) stored += 1;
        if (!isStoring || stored === cutting) await server.execute(statement, watch);
      });
      const removing = async () => await remove({ sales: 1 }, storingOnce);
      await expect(readResumed(removing)).rejects.toThrow('Retention removes rows');
    },
  );

  test('that begins right before the rows disappear is cut even if the removal then fails', async () => {
    const { engine, topology } = service.database;
    const nodes = await clusterNodesOf(engine, topology);
    await storeFirstKeptMonths(nodes, keptFrom({ sales: 1 }, TODAY));
    let isRemoved = false;
    const failing = watchedEngine(engine, async (server, statement, watch) => {
      // The removal stores the months before the download begins, so this does not cut it.
      if (!isRemoved && Object.values(statement.values).includes('kept_from')) return;
      await server.execute(statement, watch);
      if (!statement.text.startsWith('ALTER TABLE transactions DROP PARTITION')) return;
      isRemoved = true;
      throw new Error('stopped');
    });
    const removing = async () =>
      await expect(remove({ sales: 1 }, failing)).rejects.toThrow('stopped');
    await expect(readResumed(removing)).rejects.toThrow('Retention removes rows');
  });

  // Only in the full run. In `npm test`, the test above reads a list that resumes.
  testInFull('of other rows resumes', async () => {
    const text = await readResumed(async () => await remove({ impressions: 1 }));
    expect(text.match(/"transaction_id":/g)).toHaveLength(MANY);
  });

  test('of these rows over HTTP is whole or visibly cut', async () => {
    const admin = await service.token({});
    const path = `/api/admin/transactions?${MANY_SALES}`;
    const whole = await (await service.get(path, admin)).text();
    const { body } = await fetch(service.url + path, {
      headers: { authorization: `Bearer ${admin}`, 'accept-encoding': 'identity' },
    });
    const chunks: Uint8Array[] = [];
    const isComplete = await (async () => {
      for await (const chunk of body ?? []) {
        if (chunks.length === 0) await remove({ sales: 1 });
        chunks.push(chunk);
      }
      return true;
    })().catch(() => false);
    const text = Buffer.concat(chunks).toString();
    if (isComplete) expect(text).toBe(whole);
    else expect(whole.startsWith(text)).toBe(true);
    expect(await (await service.get(path, admin)).text()).toBe('[]\n');
  });
});

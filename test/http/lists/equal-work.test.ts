import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reader } from '../../../src/engine/engine.ts';
import { select } from '../../../src/plan/select.ts';
import { plainStatement, type Statement } from '../../../src/plan/sql.ts';
import { startService, type TestService } from '../../support/requests/service.ts';
import { fileRow, ndjson } from '../../support/rows/file-rows.ts';
import { everyNth } from '../../support/run/sampled.ts';

const OWN = 100;
const FOREIGN = 200;
const PERIOD = 'start_date=2026-01-01&end_date=2026-01-31';

/** Rows of both websites are beside each other in the same files. */
const ROWS = Array.from({ length: 200 }, (_, at) =>
  fileRow({
    transaction_id: 1000 + at * 10,
    program_id: at % 2 === 0 ? 10 : 20,
    publisher_id: at % 2 === 0 ? OWN : FOREIGN,
    clickid: at % 2 === 0 ? 'own' : 'foreign',
    subid: at % 2 === 0 ? 'own' : 'foreign',
    created_at: '2026-01-10 12:00:00',
  }),
);

/** A value of the other website, and one that no row has. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  transaction_id: ['1010', '9999999'],
  clickid: ['foreign', 'missing'],
  subid: ['foreign', 'missing'],
  program_id: ['20', '21'],
};

const PATHS = ['transactions', 'transactions/summary', 'performance'] as const;

function targetsOf(path: string, name: string) {
  const type = path === 'performance' ? '' : 'type=sales&';
  const target = `/api/affiliate/${path}?${type}${PERIOD}&${name}=`;
  const [foreign, missing] = VALUES[name] ?? ['', ''];
  return [target + foreign, target + missing] as const;
}

/** `performance` does not filter by single transactions or clicks. */
const ASKED = PATHS.flatMap((path) =>
  Object.keys(VALUES)
    .filter((name) => path !== 'performance' || name === 'program_id')
    .map((name) => [path, name, targetsOf(path, name)] as const),
);

const CREATE_PLAN = plainStatement('CREATE OR REPLACE TABLE plan (line String) ENGINE = Log');
const PLAN = select(v.object({ line: v.string() }), plainStatement('SELECT line FROM plan'));

const CACHES = [0, 2 ** 26];

describe.each(CACHES)('with %d bytes of months in memory, an affiliate', (memoryCache) => {
  let service: TestService;
  let affiliate: string;
  let asked: Statement[] = [];

  beforeAll(async () => {
    service = await startService({
      settings: { memoryCache },
      parts: (parts) => ({ ...parts, reader: noted(parts.reader) }),
    });
    await service.importText(ndjson(ROWS));
    affiliate = await service.token({ role: 'affiliate', publisherIds: [OWN] });
    await service.monthCache?.settled();
  });

  afterAll(async () => await service.close());

  /** Collects the statements of requests. */
  const noted = (reader: Reader): Reader =>
    new Proxy(reader, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (statement: Statement, ...rest: readonly unknown[]) => {
          asked.push(statement);
          return Reflect.apply(value, target, [statement, ...rest]);
        };
      },
    });

  /** What the engine reads for a request: its statements, and the parts and granules that it selects for each. */
  async function workOf(target: string) {
    asked = [];
    const response = await service.get(target, affiliate);
    const body = await response.text();
    const work: unknown[] = [];
    for (const statement of asked) work.push([statement.text, await selectedBy(statement)]);
    return { answer: [response.status, body], work };
  }

  /** What the engine selects for a statement. EXPLAIN is run by a statement that writes its result to a table. */
  async function selectedBy({ text, values }: Statement): Promise<readonly string[]> {
    const { engine } = service.database;
    await engine.execute(CREATE_PLAN, { changes: 'nothing' });
    const explained = {
      text: `INSERT INTO plan SELECT explain FROM (EXPLAIN indexes = 1 ${text})`,
      values,
    };
    await engine.execute(explained, { changes: 'nothing' });
    const lines = (await engine.rows(PLAN)).map(({ line }) => line.trim());
    return lines.filter((line) => /^(Parts|Granules|Ranges|ReadFrom)/.test(line));
  }

  // In `npm test`, each report and parameter is tested with or without the month cache, in turn.
  test.each(everyNth(ASKED, 2, CACHES.indexOf(memoryCache)))(
    'causes the same work in %s with a foreign %s as with a missing one',
    async (_, __, [foreign, missing]) => {
      // The first request reads what the service caches between requests.
      await workOf(missing);
      const first = await workOf(foreign);
      expect(first.answer[0]).toBe(200);
      // Lists from the month cache need no statement.
      if (memoryCache === 0) expect(JSON.stringify(first.work)).toContain('Granules');
      expect(await workOf(missing)).toEqual(first);
    },
  );
});

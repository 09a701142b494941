import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCESS_COMMANDS,
  type ConsumerFolder,
  consumerFolder,
} from '../support/programs/consumer-folder.ts';
import { commandsOf } from '../support/programs/page-commands.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { type FileRow, fileRow, ndjson } from '../support/rows/file-rows.ts';
import { fc } from '../support/run/properties.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';
import { startCuttingProxy } from '../support/servers/cutting-proxy.ts';

const PAGE = 'docs/how-to/follow-changes.md';

const paris = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' });
/** The date `before` days ago, in the platform's time zone. */
const day = (before: number) => paris.format(Date.now() - before * 86_400_000);

let service: TestService;
let home: ConsumerFolder;
let commands: string;
/** The files that the page creates, by name. */
let files: ReadonlyMap<string, string>;
let token: string;
let website = 100;

beforeAll(async () => {
  service = await startService();
  commands = await commandsOf(PAGE);
  const made = commands.matchAll(/^cat > (\S+) <<'END_OF_FILE'\n([\s\S]*?)^END_OF_FILE/gm);
  files = new Map([...made].map(([, name = '', text = '']) => [name, text]));
  return async () => await service.close();
});

/** Each test has its own website and its own copy. */
beforeEach(async () => {
  website += 1;
  const order = { role: 'affiliate', publisherIds: [website], programIds: [10, 11] } as const;
  token = await service.token(order);
  home = await consumerFolder(service.url, token);
  for (const [name, text] of files) await writeFile(join(home.folder, name), text);
  return async () => await home.close();
});

const follow = async (settings = '') => await home.run(`${settings} node follow.mjs`);

async function followed(settings = ''): Promise<void> {
  const { status, stderr } = await follow(settings);
  expect([status, stderr]).toEqual([0, '']);
}

type Sale = Readonly<{ transaction_id: number }> & FileRow;

/** A sale of the test's website. The id contains the website, because no sale may move between websites. */
const sale = (number: number, updated_at: string, values: FileRow = {}): FileRow =>
  fileRow({
    transaction_id: website * 10_000 + number,
    publisher_id: website,
    created_at: `${day(40)} 10:00:00`,
    updated_at,
    validation_date: values.status === 1 ? updated_at : null,
    ...values,
  });

const imported = async (...rows: readonly FileRow[]) => await service.importText(ndjson(rows));

/** The sales in the copy, sorted by id. */
function copied(): readonly Sale[] {
  const copy = new DatabaseSync(join(home.folder, 'copy.db'), { readOnly: true });
  const rows = copy
    .prepare("SELECT record FROM records WHERE type = 'sales' ORDER BY transaction_id")
    .all();
  copy.close();
  return rows.map(({ record }) => JSON.parse(String(record)) as Sale);
}

/** The sales that the service returns, sorted by id. */
async function answered(): Promise<readonly Sale[]> {
  const period = 'type=sales&start_date=1970-01-01&end_date=2106-12-31';
  const answer = await service.get(`/api/affiliate/transactions?${period}`, token);
  const all = (await answer.json()) as Sale[];
  return all.sort((one, other) => one.transaction_id - other.transaction_id);
}

const statuses = () => copied().map(({ status }) => status);

test('the page begins with the commands that set API and TOKEN', () => {
  expect(commands).toContain(ACCESS_COMMANDS);
});

test('the script has ten lines', () => {
  expect([...files.keys()]).toEqual(['follow.mjs', 'copy.mjs']);
  expect(files.get('follow.mjs')?.trimEnd().split('\n')).toHaveLength(10);
});

test('the commands of the page count the copied records and show the last changes', async () => {
  await imported(sale(1, `${day(3)} 11:00:00`), sale(2, `${day(2)} 12:00:00`, { status: 0 }));
  const { status, stdout, stderr } = await home.run(commands);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`last: '${day(3)} 11:00:00'`);
  expect(stdout).toContain(
    `{"transaction_id":${website}0002,"status":"0","updated_at":"${day(2)} 12:00:00"}`,
  );
});

// Only in the full run. In `npm test`, the last test imports changes of the status.
test.runIf(IS_FULL)('the copy shows pending sales that were validated or refused', async () => {
  await imported(sale(1, `${day(5)} 11:00:00`), sale(2, `${day(5)} 11:00:00`));
  await followed();
  expect(statuses()).toEqual(['2', '2']);
  await imported(sale(1, `${day(1)} 09:00:00`, { status: 1 }));
  await imported(sale(2, `${day(1)} 09:00:00`, { status: 0, subid: 'line\u2028separator' }));
  await followed();
  expect(statuses()).toEqual(['1', '0']);
  expect(copied()).toEqual(await answered());
});

// Only in the full run. In `npm test`, the last test imports changes with any dates.
test.runIf(IS_FULL)('changes that are dated long before those already read are found', async () => {
  await imported(sale(1, `${day(9)} 10:00:00`), sale(2, `${day(1)} 23:59:59`));
  await followed();
  await imported(sale(1, `${day(8)} 10:00:00`, { status: 1 }), sale(3, `${day(30)} 10:00:00`));
  await imported(sale(2, `${day(1)} 23:59:59`, { status: 0 }));
  await followed();
  expect(statuses()).toEqual(['1', '0', '2']);
  expect(copied()).toEqual(await answered());
});

// Only in the full run. In `npm test`, changes/*.test.ts check which changes a token reads.
test.runIf(IS_FULL)(
  'a record that moves to a program outside the token leaves the copy, and returns when it moves back',
  async () => {
    await imported(sale(1, `${day(4)} 10:00:00`), sale(2, `${day(4)} 10:00:00`));
    await followed();
    await imported(sale(1, `${day(3)} 10:00:00`, { program_id: 99 }));
    await followed();
    expect(copied().map(({ transaction_id }) => transaction_id)).toEqual([website * 10_000 + 2]);
    await imported(sale(1, `${day(2)} 10:00:00`));
    await followed();
    expect(copied()).toEqual(await answered());
  },
);

// Only in the full run. In `npm test`, the tests above and below follow the feed.
test.runIf(IS_FULL)('only the first run reads lists', async () => {
  await imported(sale(1, `${day(1)} 10:00:00`));
  const logged = service.log.length;
  await followed();
  await followed();
  const lists = ['/api/affiliate/transactions', '/api/affiliate/transactions'];
  const feed = '/api/affiliate/transactions/changes';
  await expect.poll(() => routesSince(logged)).toEqual([...lists, feed, feed]);
});

const routesSince = (logged: number) =>
  service.log.slice(logged).flatMap((line) => {
    const { route } = JSON.parse(line) as { route?: string };
    return route === undefined ? [] : [route];
  });

// Only in the full run. In `npm test`, changes/changes.test.ts continues with another token with the same rights.
test.runIf(IS_FULL)('a new token with the same rights continues', async () => {
  await imported(sale(1, `${day(2)} 10:00:00`));
  await followed();
  await imported(sale(1, `${day(1)} 10:00:00`, { status: 1 }));
  const rights = { role: 'affiliate', publisherIds: [website], programIds: [11, 10] } as const;
  await followed(`TOKEN=${await service.token(rights)}`);
  expect(statuses()).toEqual(['1']);
});

describe('a response that is cut off changes nothing, and the next run gets all of it', () => {
  const many = (status: number, date: string) =>
    Array.from({ length: fullOrShort(3000, 600) }, (_, at) => sale(at + 1, date, { status }));

  async function followCut(part: string): Promise<void> {
    const proxy = await startCuttingProxy(service.url, part);
    try {
      proxy.cutNext([1000]);
      const { status, stderr } = await home.run(`API=${proxy.url} node follow.mjs`);
      expect([status, proxy.cuts]).toEqual([1, 1]);
      expect(stderr).toContain('terminated');
    } finally {
      await proxy.close();
    }
  }

  test('in the feed', async () => {
    await imported(...many(2, `${day(2)} 10:00:00`));
    await followed();
    const before = copied();
    await imported(...many(1, `${day(1)} 10:00:00`));
    await followCut('transactions/changes');
    expect(copied()).toEqual(before);
    await followed();
    expect(copied()).toEqual(await answered());
  });

  // Only in the full run. `npm test` cuts only the feed, which the page's script reads by the same function as lists.
  test.runIf(IS_FULL)('in a list', async () => {
    await imported(...many(2, `${day(2)} 10:00:00`));
    await followCut('type=sales&start_date');
    expect(copied()).toEqual([]);
    await followed();
    expect(copied()).toEqual(await answered());
  });
});

const changes = fc.uniqueArray(
  fc.record({
    number: fc.integer({ min: 1, max: 20 }),
    updated_at: fc
      .tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom('00:00:00', '00:00:01', '23:59:59'))
      .map(([before, time]) => `${day(before)} ${time}`),
    status: fc.integer({ min: 0, max: 2 }),
    program_id: fc.constantFrom(10, 11, 99),
  }),
  { selector: ({ number }) => number, minLength: 1 },
);

const rowsOf = (some: typeof changes extends fc.Arbitrary<infer Value> ? Value : never) =>
  some.map(({ number, updated_at, ...values }) => sale(number, updated_at, values));

test('after any changes, even during a run, the copy equals the list of the service', async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (before, meanwhile) => {
      await imported(...rowsOf(before));
      await Promise.all([followed(), imported(...rowsOf(meanwhile))]);
      await followed();
      expect(copied()).toEqual(await answered());
    }),
    { numRuns: fullOrShort(6, 1), endOnFailure: true },
  );
});

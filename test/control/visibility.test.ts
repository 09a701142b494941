import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RemoteOperator } from '../../src/control/remote-operator.ts';
import { startService, type TestService } from '../support/requests/service.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

let service: TestService;
const tokens: Record<string, string> = {};

/** Imports sales like a command, through the socket of the service. Returns the number of rows. */
async function importSales(_: unknown, at: number): Promise<number> {
  const { directory = '' } = service.database;
  const file = { path: join(directory, `${at}.csv`), name: `${at}.csv` };
  await writeFile(file.path, sales());
  const order = { files: [file], round: false, rejects: false };
  return (await new RemoteOperator(directory).importFiles(order, {})).imported;
}

beforeAll(async () => {
  service = await startService();
  tokens.admin = await service.token({});
  tokens.affiliate = await service.token({ role: 'affiliate', publisherIds: [100] });
});

afterAll(async () => await service.close());

const ROWS = 500;

/** At least three, so that readers see more than the first and the last number of rows. */
const IMPORTS = fullOrShort(6, 3);

/** Sales of two months, which are separate partitions and are read by one statement. */
const sales = () =>
  csv(
    Array.from({ length: ROWS }, (_, at) =>
      fileRow({ created_at: `2026-0${2 + (at % 2)}-10 12:00:00` }),
    ),
  );

/** Milliseconds between two questions of a reader; readers without a pause would hold up the imports. */
const PAUSE = fullOrShort(10, 40);

/** The number of sales that a role sees now. */
async function salesSeen(role: string): Promise<number> {
  const period = 'start_date=2026-02-01&end_date=2026-03-31';
  const response = await fetch(`${service.url}/api/${role}/transactions?type=sales&${period}`, {
    headers: { authorization: `Bearer ${tokens[role]}` },
  });
  return ((await response.json()) as unknown[]).length;
}

test('a reader sees all rows of an import or none while it is published', async () => {
  const seen = new Set<number>();
  let isImporting = true;
  const read = async (role: string) => {
    while (isImporting) {
      seen.add(await salesSeen(role));
      await delay(PAUSE);
    }
  };
  const roles = ['admin', 'affiliate'];
  const readers = Promise.all(fullOrShort([...roles, ...roles], roles).map(read));
  const imports = Array.from({ length: IMPORTS }, importSales);
  expect(new Set(await Promise.all(imports))).toEqual(new Set([ROWS]));
  isImporting = false;
  await readers;
  expect(await salesSeen('admin')).toBe(IMPORTS * ROWS);
  expect(await salesSeen('affiliate')).toBe(IMPORTS * ROWS);
  expect(seen.size).toBeGreaterThan(2);
  expect([...seen].filter((count) => count % ROWS !== 0)).toEqual([]);
});

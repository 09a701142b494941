import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand, type ServingCommand, startServing } from '../support/programs/command.ts';
import { csv } from '../support/rows/csv.ts';
import { fileRow } from '../support/rows/file-rows.ts';
import { fullOrShort } from '../support/run/test-extent.ts';

let home: string;
let server: ServingCommand;
const tokens: Record<string, string> = {};

const run = async (args: readonly string[], input = '') =>
  await runCommand([...args, '--database', `chdb:${join(home, 'db')}`], { directory: home }, input);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-visible-'));
  server = await startServing(['serve', '--port', '0', '--database', `chdb:${join(home, 'db')}`], {
    directory: home,
    // The readers send many requests.
    environment: { REQUESTS_PER_MINUTE: '0' },
  });
  const create = ['token', 'create', '--role'];
  tokens.admin = (await run([...create, 'admin'])).output.trim();
  tokens.affiliate = (await run([...create, 'affiliate', '--publisher', '100'])).output.trim();
});

afterAll(async () => {
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

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
  const response = await fetch(`${server.url}/api/${role}/transactions?type=sales&${period}`, {
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
  const readers = Promise.all(['admin', 'affiliate', 'admin', 'affiliate'].map(read));
  const imports = Array.from(
    { length: IMPORTS },
    async () => (await run(['import', '-'], sales())).code,
  );
  expect(new Set(await Promise.all(imports))).toEqual(new Set([0]));
  isImporting = false;
  await readers;
  expect(await salesSeen('admin')).toBe(IMPORTS * ROWS);
  expect(await salesSeen('affiliate')).toBe(IMPORTS * ROWS);
  expect(seen.size).toBeGreaterThan(2);
  expect([...seen].filter((count) => count % ROWS !== 0)).toEqual([]);
});

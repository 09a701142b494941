import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

const HEADER = 'transaction_id,program_id,publisher_id,support_id,status,created_at,updated_at';
const row = (id: number, date = '2026-01-15 10:00:00') =>
  `${id},12,345,7,2,${date},2026-01-15 10:00:00\n`;

let folder: string;

/** A reader's folder with import files, in which `npx transactions` works. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  await provideNpx(folder, true);
  await writeFile(join(folder, 'sales.csv'), `${HEADER}\n${row(1)}${row(2)}`);
  await writeFile(
    join(folder, 'mixed.csv'),
    `${HEADER}\n${row(5)}${row(6, '2026-02-30 10:00:00')}`,
  );
  await writeFile(join(folder, '2026-01.csv.gz'), gzipSync(`${HEADER}\n${row(3)}`));
  const extra = {
    type: 'sales',
    transaction_id: 4,
    program_id: 12,
    publisher_id: 345,
    support_id: 7,
    status: 2,
    created_at: '2026-01-16 10:00:00',
    updated_at: '2026-01-16 10:00:00',
  };
  await writeFile(join(folder, 'extra.ndjson'), `${JSON.stringify(extra)}\n`);
});

afterEach(async () => await rm(folder, { recursive: true, force: true }));

/** The tutorial's command that stops the server. The log has its process id, which is not that of npx. */
const STOP = `kill "$(grep -om1 '"pid":[0-9]*' serve.log | cut -d: -f2)"`;

const run = async (script: string) => await runScript(script, folder);

// Only in the full run. In `npm test`, the test of the README runs the same commands, and cli/tokens.test.ts
// tests the tokens of affiliates.
test.runIf(IS_FULL)(
  'the tutorial shows two sales to the admin, one to the affiliate, and a refusal',
  async () => {
    const { status, stdout, stderr } = await run(await commandsOf('docs/tutorial.md'));
    expect(status, stderr).toBe(0);
    expect(await commandsOf('docs/tutorial.md')).toContain(STOP);
    await expect(fetch('http://127.0.0.1:3456/health/live')).rejects.toThrow('fetch failed');
    expect(stdout).toContain('refused, as it should be');
    expect(stdout).toContain('"status_label":"Validated"');
    expect(stdout).toContain('"remuneration":10,');
    expect(stdout).toContain('"status_label":"Validé"');
    expect(stdout).toContain('"code":"publisher_forbidden"');
    expect(stdout).toContain('"2026-01",1,"Validated",1,0,12.5,10,99.9,');
    expect(stdout).toContain(
      '[\n{"transaction_id":1002,"status":"0","updated_at":"2026-02-20 10:00:00"}\n]',
    );
  },
);

const PAGES = [
  ['docs/how-to/import.md', '2026-02-30 10:00:00'],
  ['docs/how-to/hand-out-access.md', 'is revoked'],
] as const;

// Only in the full run. In `npm test`, the test of the README runs commands of a page, cli/tokens.test.ts those of
// access, and cli/import-*.test.ts those of imports.
test.runIf(IS_FULL).each(PAGES)('the commands of %s work unchanged', async (page, shown) => {
  const { status, stdout, stderr } = await run(await commandsOf(page));
  expect(status, stderr).toBe(0);
  expect(stdout).toContain(shown);
});

test('the commands of the README work unchanged', async () => {
  const { status, stdout, stderr } = await run(`${await commandsOf('README.md')}\n${STOP}`);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('"transaction_id":1,');
  expect(stdout).toContain('"status_label":"Pending"');
  expect(stdout).toMatch(/^x-total-count: 2\r?$/m);
  expect(stdout).toMatch(/"count":2,.*"fingerprint":"[0-9a-f]{16}"/);
  expect(stdout).toMatch(/\n304\n\[/);
  const file = await readFile(join(folder, 'sales.parquet'), 'latin1');
  expect([file.slice(0, 4), file.slice(-4)]).toEqual(['PAR1', 'PAR1']);
});

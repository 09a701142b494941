import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoNames } from '../../src/demo/demo-names.ts';
import { demoStage, signIn, visit } from '../support/programs/explorer.ts';

const demo = demoStage(20_000);
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-page-names-'));
  const path = join(home, 'programs.csv');
  await writeFile(path, demoNames().programs);
  const command = {
    of: 'programs',
    files: [{ path, name: 'programs.csv' }],
    replace: false,
  } as const;
  await demo.stage.service.operator.importDirectory(command, {});
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

/** Includes every day of the demo data. */
const DAYS = `start_date=${new Date().getUTCFullYear() - 2}-01-01&end_date=${new Date().getUTCFullYear()}-12-31`;

test('the top programs have their names, websites without an entry their identifiers, and a click filters', async () => {
  await visit(demo.stage, { search: `?type=clics&${DAYS}` }, async ({ page, complaints }) => {
    await signIn(page, demo.tokens.admin_token);
    const top = page.getByRole('region', { name: 'Programs' });
    const first = top.locator('.group').first();
    await first.waitFor();
    const name = (await first.locator('.group-name').textContent()) ?? '';
    expect(name).toMatch(/^\p{L}.+ \(\d+\)$/u);
    const websites = page.getByRole('region', { name: 'Publishers' }).locator('.group-name');
    expect(await websites.first().textContent()).toMatch(/^\d+$/);
    await first.click();
    await page.waitForURL(/program_id=\d+/);
    const [, id] = /\((\d+)\)$/.exec(name) ?? [];
    expect(new URL(page.url()).searchParams.get('program_id')).toBe(id);
    expect(complaints).toEqual([]);
  });
});

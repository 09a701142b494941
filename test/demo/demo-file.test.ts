import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STORED_FIELDS } from '../../src/contract/record/fields.ts';
import { writeDemoFile } from '../../src/demo/demo-file.ts';
import { demoPlatform } from '../../src/demo/platform/demo-platform.ts';
import { demoTransactions } from '../../src/demo/transactions/demo-transactions.ts';

const PERIOD = { rows: 3_200, days: 365, lastDay: '2026-06-30' };

/** The cells of each line (RFC 4180). */
function cellsOf(csv: string): readonly (readonly string[])[] {
  const cell = /("(?:[^"]|"")*"|[^,\n"]*)(,|\n)/y;
  const lines: string[][] = [[]];
  for (let found = cell.exec(csv); found !== null; found = cell.exec(csv)) {
    const text = found[1] ?? '';
    lines.at(-1)?.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
    if (found[2] === '\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

test('the file has a header and every transaction, with quotes where they are needed', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'demo-'));
  const path = join(folder.path, 'year.csv');
  await writeDemoFile(path, PERIOD);
  const text = await readFile(path, 'utf8');
  const columns = ['type', ...STORED_FIELDS.map(({ name }) => name)];
  const rows = [...demoTransactions(demoPlatform(), PERIOD)].map((transaction) => {
    const values = new Map(Object.entries(transaction));
    return columns.map((name) => String(values.get(name) ?? ''));
  });
  expect(cellsOf(text)).toEqual([columns, ...rows]);
  expect(text).toContain(',"article ""bons plans""",');
});

test('a file that cannot be written is an error', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'demo-'));
  await expect(writeDemoFile(join(folder.path, 'none', 'year.csv'), PERIOD)).rejects.toThrow(
    'ENOENT',
  );
});

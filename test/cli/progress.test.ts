import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDatabase } from '../support/databases/copied-database.ts';
import { COMMAND, runCommand } from '../support/programs/command.ts';
import { writeBigFile } from '../support/rows/big-file.ts';
import { fullOrShort, IS_FULL } from '../support/run/test-extent.ts';

/** So many that the bar is updated several times while they are imported. */
const ROWS = fullOrShort(200_000, 60_000);

const SHOWN = ROWS.toLocaleString('en');

let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'transactions-progress-'));
  await writeBigFile(join(home, 'big.csv'), ROWS);
  await newDatabase(join(home, 'terminal'), 'UTC');
});

afterAll(async () => await rm(home, { recursive: true, force: true }));

/** Runs the command in a pseudoterminal, which `script` of util-linux creates. */
async function onTerminal(args: string): Promise<string> {
  const command = `"${process.execPath}" "${COMMAND}" ${args}`;
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
    cwd: home,
  });
  return stdout;
}

test('a terminal shows a progress bar and then the report', async () => {
  const screen = await onTerminal('import big.csv --database chdb:./terminal');
  expect(screen).toMatch(/importing .*[█▓▒░].* \d+ % after/u);
  const parts = [...screen.matchAll(/(\d+) % after/g)].map(([, part]) => Number(part));
  expect(Math.max(...parts)).toBeGreaterThan(10);
  expect(parts).toEqual(parts.toSorted((one, other) => one - other));
  expect(screen).toMatch(
    new RegExp(`Imported ${SHOWN} rows in \\d+\\.\\d s \\([\\d,]+ rows/s\\)\\.`),
  );
});

// Only in the full run. In `npm test`, import.test.ts parses the output with --json.
test.runIf(IS_FULL)(
  'with --json the output is only the line of JSON, even on a terminal',
  async () => {
    const screen = await onTerminal('import big.csv --json --database chdb:./terminal');
    expect(JSON.parse(screen)).toMatchObject({ imported: ROWS });
  },
);

// Only in the full run. In `npm test`, import.test.ts compares the whole output without a terminal.
test.runIf(IS_FULL)('without a terminal there is no bar', async () => {
  const { output, errors } = await runCommand(
    ['import', 'big.csv', '--database', 'chdb:./terminal'],
    { directory: home },
  );
  expect(errors).toBe('');
  expect(output).toMatch(new RegExp(`^Imported ${SHOWN} rows .*\n$`));
});

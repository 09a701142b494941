import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/programs/free-port.ts';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { missingOf, programOf, skipped } from '../support/programs/programs.ts';
import { parsedLines } from '../support/requests/audit-lines.ts';
import { IS_FULL } from '../support/run/test-extent.ts';

// Only in the full run. In `npm test`, audit-command.test.ts uses each flag of the page.
test.runIf(IS_FULL)('the commands of the how-to page show who requested a report', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));
  await provideNpx(folder);
  const port = await freePort();
  const page = (await commandsOf('docs/how-to/audit.md')).replaceAll(':3000', `:${port}`);
  const { status, stdout, stderr } = await runScript(
    `export PORT=${port}\n${page}\nkill %1; wait`,
    folder,
  );
  await rm(folder, { recursive: true, force: true });
  expect(status, stderr).toBe(0);
  const [inFile, printed, last, asked, ...others] = stdout.trimEnd().split('\n');
  expect(printed).toBe(inFile);
  expect(last).toBe(inFile);
  expect(asked).toBe(`${inFile?.slice(0, -1)},"match":"asked"}`);
  expect(others).toEqual(['No events match.']);
  expect(parsedLines(inFile ?? '')).toEqual([
    expect.objectContaining({
      event: 'report',
      name: 'Data team',
      role: 'admin',
      client: '127.0.0.1',
      details: expect.objectContaining({ outcome: 'complete', rows: 0 }),
    }),
  ]);
});

/** The file for logrotate that the page shows. */
async function rotation(): Promise<string> {
  const page = await readFile(new URL('../../docs/how-to/audit.md', import.meta.url), 'utf8');
  const [, lines = ''] = /\n( *\/var\/log\/\S+ \{\n[\s\S]*?\})/.exec(page) ?? [];
  return `${lines.replaceAll(/^ {2}/gm, '')}\n`;
}

test('the file for logrotate has one directive a line', async () => {
  const [first, ...directives] = (await rotation()).trimEnd().split('\n');
  expect(first).toBe('/var/log/transactions/audit.log {');
  expect(directives.pop()).toBe('}');
  expect(directives.filter((line) => !/^ {2}[a-z]+(?: \d+)?$/.test(line))).toEqual([]);
});

const missing = missingOf('logrotate');

test.skipIf(missing.length > 0)(
  `logrotate renames the file as the page describes${skipped(missing)}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rotation-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'audit.log'), '{}\n');
    const file = (await rotation()).replace('/var/log/transactions', folder);
    await writeFile(join(folder, 'rotation'), file);
    const command = `chmod 644 rotation && '${programOf('logrotate')}' --force --state state rotation`;
    const { status, stdout, stderr } = await runScript(command, folder);
    expect([status, stdout, stderr]).toEqual([0, '', '']);
    expect((await readdir(folder)).sort()).toEqual(['audit.log.1', 'rotation', 'state']);
  },
);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/programs/free-port.ts';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
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

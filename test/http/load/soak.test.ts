import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { COMPILED } from '../../support/programs/compiled-modules.ts';
import { IS_FULL } from '../../support/run/test-extent.ts';

const SOAK = fileURLToPath(new URL('../../../bench/soak/main.ts', import.meta.url));

test.runIf(IS_FULL)('a soak of twenty seconds fails no invariant', async () => {
  const env = { ...process.env, ...COMPILED };
  const run = promisify(execFile)(process.execPath, [SOAK, '--minutes', '0.34'], { env });
  const { stdout } = await run;
  console.log(stdout);
  expect(stdout).toContain('failed invariants: none');
  for (const what of ['imports', 'lists: 200', 'summaries: 200', 'others: 200', 'kills']) {
    expect(stdout).toMatch(new RegExp(`^${what}: [1-9]`, 'm'));
  }
});

import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { freePort } from '../support/programs/free-port.ts';
import { commandsOf, provideNpx, runScript } from '../support/programs/page-commands.ts';
import { testInFull as test } from '../support/run/test-in-full.ts';

// Only in the full run. In `npm test`, deliveries.test.ts verifies messages with the same library.

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

test('the receiver of the page verifies and prints what is imported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webhooks-page-'));
  await provideNpx(folder);
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  for (const name of ['standardwebhooks', '@stablelib', 'fast-sha256']) {
    await symlink(join(PACKAGES, name), join(folder, 'node_modules', name));
  }
  const [receiver, port] = [await freePort(), await freePort()];
  const page = (await commandsOf('docs/how-to/receive-webhooks.md'))
    .replaceAll('8080', `${receiver}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
  const script = `export PORT=${port}\n${page}\nkill %1 %2; wait`;
  const { status, stdout, stderr } = await runScript(script, folder);
  await rm(folder, { recursive: true, force: true });
  expect([status, stdout.split('\n').slice(0, -1)], stderr).toEqual([
    0,
    [
      expect.stringContaining('has accepted a message'),
      expect.stringMatching(/^Imported 1 row/),
      'put 7',
    ],
  ]);
});

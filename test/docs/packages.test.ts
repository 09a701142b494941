import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { IS_FULL } from '../support/run/test-extent.ts';

const run = promisify(execFile);

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(['.', 'client'])(
  'the package in %s contains the licence that it names',
  async (folder) => {
    const cwd = join(root, folder);
    const listing = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = await run('npm', listing, { cwd });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    expect(files.map(({ path }) => path)).toContain('LICENSE');
    const [text, manifest] = await Promise.all([
      readFile(join(cwd, 'LICENSE'), 'utf8'),
      readFile(join(cwd, 'package.json'), 'utf8'),
    ]);
    expect(text).toBe(await readFile(join(root, 'LICENSE'), 'utf8'));
    expect(text).toMatch(/^MIT License\n/);
    expect(JSON.parse(manifest)).toMatchObject({ license: 'MIT' });
  },
);

// Only in the full run. In `npm test`, the check before the tests compiles the same sources.
test.runIf(IS_FULL)('the packed files of the service compile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'built-'));
  const build = ['-p', 'tsconfig.build.json', '--outDir', folder];
  await run(join(root, 'node_modules/.bin/tsc'), build, { cwd: root });
  const main = await readFile(join(folder, 'cli/main.js'), 'utf8');
  await rm(folder, { recursive: true, force: true });
  expect(main).toContain('export');
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { runScript } from '../support/programs/page-commands.ts';
import { testFilesByProject } from '../support/run/projects.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');

/** The commands of the page, in code blocks and in sentences. */
const commands = [
  ...[...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n')),
  ...[...page.matchAll(/`(np[mx] [^`]+)`/g)].map(([, command = '']) => command),
].filter((line) => line !== '');

test('every npm script that the page names exists', () => {
  const named = commands.flatMap((line) => /^npm (?:run )?(\S+)/.exec(line)?.[1] ?? []);
  const scripts = named.filter((name) => name !== 'ci' && name !== 'install');
  expect(scripts).toContain('generate');
  expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([]);
});

test('every file and folder of tests that the page names exists', () => {
  const places = commands.flatMap((line) => /^npx vitest run (test\/\S+)/.exec(line)?.[1] ?? []);
  expect(places.length).toBeGreaterThan(2);
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
});

test('the table of projects names every project of vitest', () => {
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual([...testFilesByProject().keys()].sort());
});

test('the command for one test runs that test alone', async () => {
  const command = commands.find((line) => line.includes(' -t ')) ?? '';
  const installed = command.replace(/^npx /, 'node_modules/.bin/');
  const { status, stdout, stderr } = await runScript(`cd '${root}'\n${installed}`, root);
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/^1 passed, 0 failed, \d+ skipped$/m);
});

test('the tests run on the Node.js version of .nvmrc', async () => {
  const named = (await readFile(join(root, '.nvmrc'), 'utf8')).trim();
  expect(process.version).toMatch(new RegExp(`^v${named}\\.`));
});

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filesUnder } from './source-files.ts';

const PAGE = resolve(import.meta.dirname, '../../docs/architecture.md');

const ROOTS = ['src', 'client/src', 'explorer/src'];

test('docs/architecture.md describes every folder of the sources, and no other', async () => {
  const page = await readFile(PAGE, 'utf8');
  const rows = [...page.matchAll(/^\| `((?:\w+\/)?src\/[^`]*)` +\|/gm)].map(
    ([, folder = '']) => folder,
  );
  const folders = new Set(filesUnder(...ROOTS).flatMap(({ path }) => foldersOf(path)));
  const described = rows.map((folder) => folder.replace(/\/$/, ''));
  expect(described.sort()).toEqual([...folders].sort());
});

/** The folders that a file lies in, such as `src/http` and `src/http/routes`. */
function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return ROOTS.includes(folder) ? [folder] : [...foldersOf(folder), folder];
}

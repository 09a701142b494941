import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filesUnder } from './source-files.ts';

const PAGE = resolve(import.meta.dirname, '../../docs/architecture.md');

test('docs/architecture.md describes every folder of src, and no other', async () => {
  const page = await readFile(PAGE, 'utf8');
  const described = [...page.matchAll(/^\| `(src\/[^`]+)\/` +\|/gm)].map(
    ([, folder = '']) => folder,
  );
  const folders = new Set(filesUnder('src').flatMap(({ path }) => foldersOf(path)));
  expect(described.sort()).toEqual([...folders].sort());
});

/** The folders of src that a file lies in, such as `src/http` and `src/http/routes`. */
function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === 'src' ? [] : [...foldersOf(folder), folder];
}

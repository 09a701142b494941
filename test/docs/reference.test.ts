import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { referencePages } from '../../src/cli/reference/reference.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each([...referencePages()])(
  'the reference page %s equals the tables of the code',
  async (name, text) => {
    expect(await readFile(join(root, 'docs/reference', name), 'utf8')).toBe(text);
  },
);

test('the reference has no other page', async () => {
  const pages = await readdir(join(root, 'docs/reference'));
  expect(pages.sort()).toEqual([...referencePages().keys()].sort());
});

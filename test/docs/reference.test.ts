import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { referencePages } from '../../src/cli/output/reference.ts';

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

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'client/README.md',
  ...(await readdir(join(root, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

test.each(pages)('every link of %s leads to an existing file', async (page) => {
  const text = await readFile(join(root, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? '');
  const local = links.filter((link) => !/^[a-z]+:/.test(link));
  for (const link of local) {
    const path = join(root, dirname(page), link);
    await expect(readFile(path), `${page}: ${relative(root, path)}`).resolves.toBeDefined();
  }
});

test('every test that a decision names exists', async () => {
  const text = await readFile(join(root, 'docs/decisions.md'), 'utf8');
  const files = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file ?? '');
  expect(files.length).toBeGreaterThan(20);
  for (const file of new Set(files)) {
    await expect(readFile(join(root, file)), file).resolves.toBeDefined();
  }
});

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

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

import { expect, test } from 'vitest';
import { documentationPage } from '../../../src/pages/documentation-page.ts';

const page = documentationPage({ basePath: '/base', currency: undefined, script: undefined });

test('the commands of the documentation page have examples of all parameters in their paths', () => {
  const urls = Array.from(page.matchAll(/\$SERVICE([^&"<]*)/g), ([, path]) => path);
  expect(urls).toContain('/base/api/admin/transactions/sales/1001');
  expect(urls.filter((path) => /[{}]/.test(String(path)))).toEqual([]);
});

test('the URLs of its commands are valid: values are encoded', () => {
  const urls = Array.from(page.matchAll(/\$SERVICE([^"<]*?)(?:"|&quot;|<)/g), ([, path]) => path);
  expect(urls.length).toBeGreaterThan(10);
  expect(urls.filter((path) => /[^!-~]/.test(String(path)))).toEqual([]);
});

test('the documentation page shows code as code, not in backticks', () => {
  expect(Array.from(page.matchAll(/.*`.*/g), ([line]) => line.slice(0, 200))).toEqual([]);
});

test('the documentation page lists the words that items of a list can be', () => {
  const rows = Array.from(page.matchAll(/<code>(group_by|status|fields)<\/code>.*/g));
  const words = { group_by: 'month', status: '1', fields: 'remuneration' };
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(Object.keys(words)));
  for (const [name, word] of Object.entries(words))
    expect(
      rows.filter(([row, own]) => own === name && row.includes(`<code>${word}</code>`)),
    ).not.toEqual([]);
});

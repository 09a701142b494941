import { expect, test } from 'vitest';
import { documentationPage } from '../../../src/pages/documentation-page.ts';

test('the commands of the documentation page have examples of all parameters in their paths', () => {
  const page = documentationPage({ basePath: '/base', currency: undefined, script: undefined });
  const urls = Array.from(page.matchAll(/\$SERVICE([^&"<]*)/g), ([, path]) => path);
  expect(urls).toContain('/base/api/admin/transactions/sales/1001');
  expect(urls.filter((path) => /[{}]/.test(String(path)))).toEqual([]);
});

import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

const document = await readFile(
  new URL('../../../docs/reference/openapi.json', import.meta.url),
  'utf8',
);
const config = await createConfig({ extends: ['recommended-strict'] });

const lint = async (source: string): Promise<readonly string[]> =>
  (await lintFromString({ source, config })).map(({ ruleId, message }) => `${ruleId}: ${message}`);

test('the OpenAPI document follows the strictest rules of Redocly', async () => {
  expect(await lint(document)).toEqual([]);
});

test.each([
  ['struct', '"in": "query"', '"in": "nowhere"'],
  ['no-unresolved-refs', '/schemas/Problem"', '/schemas/Nothing"'],
  ['operation-summary', '"summary": "What the token may read",', ''],
])('the rule %s finds a fault', async (rule, from, to) => {
  expect(document).toContain(from);
  const found = await lint(document.replace(from, to));
  expect(found.join('\n')).toContain(`${rule}: `);
});

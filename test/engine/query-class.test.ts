import { expect, test } from 'vitest';
import { queryClassOf } from '../../src/engine/query-limits.ts';
import { planDirectory } from '../../src/plan/directory/directory-plan.ts';
import {
  directoryStatement,
  pageIdsStatement,
} from '../../src/plan/directory/directory-statement.ts';

test('lists of programs and publishers do not take the turns of the lookups of tokens', () => {
  const principal = { id: 'a', role: 'admin', programIds: 'all', publisherIds: 'all' } as const;
  const plan = planDirectory('publishers', { search: 'o' }, principal, {
    locale: 'en',
    after: undefined,
  });
  expect(queryClassOf(directoryStatement(plan))).toBe('directory');
  expect(queryClassOf(pageIdsStatement(plan, 50))).toBe('directory');
});

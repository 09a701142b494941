import { expect, test } from 'vitest';
import { listQuestion } from '../../src/audit/audit-question.ts';
import type { Principal } from '../../src/auth/principal.ts';
import { readListQuery } from '../../src/contract/query/query.ts';

const ADMIN: Principal = { id: 'one', role: 'admin', programIds: 'all', publisherIds: 'all' };

const LIST = 'type=sales&start_date=2026-01-01&end_date=2026-01-31&limit=100';

test.each([
  ['', 'asc', null],
  ['&order=desc', 'desc', null],
  ['&sort=-created_at', 'desc', '-created_at'],
  ['&sort=-updated_at', 'asc', '-updated_at'],
  ['&sort=-updated_at&date_field=updated_at', 'desc', '-updated_at'],
])('for a list with "%s", the recorded order is %s', (added, order, sort) => {
  const query = readListQuery(LIST + added, 'admin');
  expect(listQuestion(query, ADMIN, String)).toMatchObject({ order, sort });
});

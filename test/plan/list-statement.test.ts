import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/principal.ts';
import type { ListQuery } from '../../src/contract/query/query.ts';
import { planList } from '../../src/plan/list-plan.ts';
import { listStatement } from '../../src/plan/list-statement.ts';
import type { Statement } from '../../src/plan/sql.ts';
import { SORTING_KEY } from '../../src/schema/table-definitions.ts';
import { ADMIN, affiliateOf, instant, JANUARY, PARIS, planFor } from './principals.ts';

const statementFor = (principal: Principal, query: Partial<ListQuery> = {}): Statement =>
  listStatement(planFor(principal, query));

const HEAD =
  "SELECT {p1:String}, record_head, transform(status, {p2:Array(UInt8)}, {p3:Array(String)}, ''), record_tail";

const FROM = instant('2025-12-31T23:00:00Z');
const UNTIL = instant('2026-01-31T23:00:00Z');
const LABELS = { p1: ',\n', p2: [0, 1, 2], p3: ['Refusé', 'Validé', 'En attente'] };

test('an admin’s report reads the period from the admin table, in the order of the table', () => {
  expect(statementFor(ADMIN)).toMatchObject({
    text: `${HEAD}
FROM transactions FINAL
WHERE type = {p4:String} AND created_at >= toDateTime({p5:UInt32}) AND created_at < toDateTime({p6:UInt32})
ORDER BY type, created_at, transaction_id`,
    values: { ...LABELS, p4: 'sales', p5: FROM, p6: UNTIL },
  });
});

test('an admin’s report of one publisher and one program has conditions for both', () => {
  expect(statementFor(ADMIN, { publisher_id: [7], program_id: [3] })).toMatchObject({
    text: `${HEAD}
FROM transactions_by_publisher FINAL
WHERE type = {p4:String} AND publisher_id = {p5:UInt64} AND created_at >= toDateTime({p6:UInt32}) AND created_at < toDateTime({p7:UInt32}) AND program_id = {p8:UInt64}
ORDER BY type, publisher_id, created_at, transaction_id`,
    values: { ...LABELS, p4: 'sales', p5: 7, p6: FROM, p7: UNTIL, p8: 3 },
  });
});

test('an admin who is limited to programs reads only those', () => {
  const { text, values } = statementFor({ ...ADMIN, programIds: [1, 2] });
  expect(text).toContain('FROM transactions_by_program FINAL\n');
  expect(text).toContain('AND program_id IN {p7:Array(UInt64)} AND NOT has_left\n');
  expect(text).toMatch(/\nORDER BY type, created_at, transaction_id$/);
  expect(values.p7).toEqual([1, 2]);
});

test('a report of one program reads the projection by program, in its order', () => {
  const { text } = statementFor(ADMIN, { program_id: [3] });
  expect(text).toContain('FROM transactions_by_program FINAL\n');
  expect(text).toMatch(/\nORDER BY type, program_id, created_at, transaction_id$/);
});

test('a report of many programs reads the main table', () => {
  const programIds = Array.from({ length: 21 }, (_, at) => at + 1);
  const { text } = statementFor({ ...ADMIN, programIds });
  expect(text).toContain('FROM transactions FINAL\n');
  expect(text).toContain('AND program_id IN {p7:Array(UInt64)}\n');
});

test('a report of one website reads the affiliate table, in the order of the table', () => {
  expect(statementFor(affiliateOf(7))).toMatchObject({
    text: `${HEAD}
FROM affiliate_transactions FINAL
WHERE type = {p4:String} AND publisher_id = {p5:UInt64} AND created_at >= toDateTime({p6:UInt32}) AND created_at < toDateTime({p7:UInt32})
ORDER BY type, publisher_id, created_at, transaction_id`,
    values: { ...LABELS, p4: 'sales', p5: 7, p6: FROM, p7: UNTIL },
  });
});

test('a report of many websites is in the order of creation', () => {
  const { text, values } = statementFor(affiliateOf(7, 9));
  expect(text).toContain('FROM affiliate_transactions FINAL\n');
  expect(text).toContain('AND publisher_id IN {p5:Array(UInt64)} AND created_at >=');
  expect(text).toMatch(/\nORDER BY type, created_at, transaction_id$/);
  expect(values.p5).toEqual([7, 9]);
});

test('a query for one of several websites has the statement of an affiliate with that website only', () => {
  expect(statementFor(affiliateOf(7, 9), { publisher_id: [9] })).toEqual(
    statementFor(affiliateOf(9)),
  );
});

test('an affiliate without websites reads none, not all', () => {
  const { text, values } = statementFor(affiliateOf());
  expect(text).toContain('AND publisher_id IN {p5:Array(UInt64)} AND');
  expect(values.p5).toEqual([]);
});

test('every query of an affiliate reads the affiliate table only', () => {
  for (const query of [{}, { publisher_id: [7] }, { program_id: [3] }]) {
    const tables = statementFor(affiliateOf(7, 9), query).text.match(/(?<=FROM |JOIN )\w+/g);
    expect(tables).toEqual(['affiliate_transactions']);
  }
});

test('the order is the sorting key of the table, so that the engine need not sort', () => {
  expect(statementFor(ADMIN).text).toMatch(new RegExp(`ORDER BY ${SORTING_KEY.admin}$`));
  expect(statementFor(affiliateOf(7)).text).toMatch(
    new RegExp(`ORDER BY ${SORTING_KEY.affiliate}$`),
  );
});

test('the labels are bound in the language of the plan', () => {
  const plan = planList(JANUARY, ADMIN, { ...PARIS, locale: 'en' });
  expect(listStatement(plan).values.p3).toEqual(['Refused', 'Validated', 'Pending']);
});

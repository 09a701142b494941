import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/principal.ts';
import type { SummaryQuery } from '../../src/contract/query/query.ts';
import { planSummary } from '../../src/plan/aggregation/summary-plan.ts';
import { summaryStatement } from '../../src/plan/aggregation/summary-statement.ts';
import { ADMIN, affiliateOf, instant, PARIS } from './principals.ts';

const JANUARY = { type: ['sales'], start_date: '2026-01-01', end_date: '2026-01-31' } as const;

const statementFor = (principal: Principal, query: Partial<SummaryQuery> = {}) =>
  summaryStatement(planSummary({ ...JANUARY, ...query }, principal, PARIS));

/** The statement from the innermost query on. */
const sourceOf = (principal: Principal, query: Partial<SummaryQuery> = {}): string =>
  statementFor(principal, query).text.split('\n').slice(2).join('\n');

test('an admin’s summary by day aggregates the admin table', () => {
  expect(
    sourceOf(ADMIN, { group_by: ['day'] }),
  ).toBe(`FROM (SELECT toDate32(assumeNotNull(created_at)) AS key_1, count() AS rows_counted, toUInt64(0) AS sum_of_total, ifNull(sum(remu_program), 0) AS sum_of_remu_program, ifNull(sum(remu_publisher), 0) AS sum_of_remu_publisher, ifNull(sum(amount), 0) AS sum_of_amount, sum(record_hash) AS hashes_added, groupBitXor(record_hash) AS hashes_xored
FROM transactions FINAL
WHERE type = {p2:String} AND created_at >= toDateTime({p3:UInt32}) AND created_at < toDateTime({p4:UInt32})
GROUP BY key_1))
ORDER BY key_1`);
});

test('the values of the query are bound', () => {
  const { text, values } = statementFor(ADMIN, { status: ['1'], subid: ["a'b"] });
  expect(Object.values(values)).toEqual([
    ',\n',
    'sales',
    instant('2025-12-31T23:00:00Z'),
    instant('2026-01-31T23:00:00Z'),
    1,
    "a'b",
  ]);
  expect(text).not.toContain("a'b");
});

test('an affiliate’s summary reads the affiliate table only, without subqueries on others', () => {
  for (const query of [
    {},
    { publisher_id: [7] },
    { program_id: [3], group_by: ['day'] as const },
  ]) {
    const { text } = statementFor(affiliateOf(7, 9), query);
    expect(text.match(/(?<=FROM |JOIN )\w+/g)).toEqual(['affiliate_transactions']);
    expect(text).not.toMatch(/remu_program|amount/);
  }
});

test('a summary of one website or program reads the table that is sorted by it', () => {
  const tablesOf = (asked: Partial<SummaryQuery>) =>
    statementFor(ADMIN, asked).text.match(/(?<=FROM |JOIN )\w+/g);
  const groupings = { group_by: ['day', 'country'], date_field: 'validation_date' } as const;
  expect(tablesOf({ publisher_id: [7], ...groupings })).toEqual(['transactions_by_publisher']);
  expect(tablesOf({ program_id: [7], subid: ['a'] })).toEqual(['transactions_by_program']);
  expect(sourceOf(ADMIN, { program_id: [7] })).toContain('NOT has_left');
});

test('a summary filtered by a field that the projection lacks reads only its keys from the projection', () => {
  expect(sourceOf(ADMIN, { publisher_id: [7], clickid: ['a'] })).toContain(
    'GLOBAL IN (SELECT created_at, transaction_id FROM transactions_by_publisher FINAL',
  );
});

test('fields that no kind has are not read, and others only for the kinds that have them', () => {
  expect(sourceOf(ADMIN, { type: ['clics'] })).not.toContain('amount)');
  expect(sourceOf(ADMIN, { type: ['clics', 'sales'] })).toContain(
    "sum(if(type IN ('sales'), amount, NULL))",
  );
});

test('without groups there is one row, and no sorting', () => {
  expect(statementFor(ADMIN).text).not.toMatch(/GROUP BY|ORDER BY/);
});

test('a summary runs as an aggregation, which may use every core', () => {
  expect(statementFor(ADMIN).isAggregation).toBe(true);
});

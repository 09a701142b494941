import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/principal.ts';
import type { ListQuery } from '../../src/contract/query/query.ts';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { LOCALES } from '../../src/contract/record/labels.ts';
import { planList } from '../../src/plan/list-plan.ts';
import { listStatement } from '../../src/plan/list-statement.ts';
import { fc } from '../support/run/properties.ts';
import { ADMIN, affiliateOf } from './principals.ts';

interface Case {
  readonly principal: Principal;
  readonly query: ListQuery;
  readonly timeZone: string;
  readonly locale: (typeof LOCALES)[number];
}

const statementOf = ({ principal, query, timeZone, locale }: Case) =>
  listStatement(planList(query, principal, { timeZone, locale }));

/** At least 1000, because the SQL itself has smaller numbers, which the tests would take for bound values. */
const identifier = fc.integer({ min: 1000, max: Number.MAX_SAFE_INTEGER });

const day = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2105-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const period = fc
  .tuple(day, day)
  .map((days) => [...days].sort())
  .map(([start_date = '', end_date = '']) => ({ start_date, end_date }));

const context = {
  type: fc.constantFrom(...KINDS),
  period,
  timeZone: fc.constantFrom('UTC', 'Europe/Paris', 'Asia/Kathmandu'),
  locale: fc.constantFrom(...LOCALES),
};

/** Queries of one form, which differ only in their values. */
const oneWebsite = fc
  .record({ ...context, website: identifier, program_id: identifier })
  .map(({ type, period: days, website, program_id, ...setting }) => ({
    principal: affiliateOf(website),
    query: { type, ...days, program_id: [program_id], publisher_id: [website] },
    ...setting,
  }));

const limitedAdmin = fc
  .record({ ...context, programIds: fc.array(identifier, { minLength: 2, maxLength: 9 }) })
  .map(({ type, period: days, programIds, ...setting }) => ({
    principal: { ...ADMIN, programIds },
    query: { type, ...days },
    ...setting,
  }));

test.each([
  ['one website', oneWebsite],
  ['an admin with many programs', limitedAdmin],
])('two queries of %s have the same SQL, whatever their values', (_, cases) => {
  fc.assert(
    fc.property(cases, cases, (one, other) => {
      expect(statementOf(one).text).toBe(statementOf(other).text);
    }),
  );
});

test.each([
  ['one website', oneWebsite],
  ['an admin with many programs', limitedAdmin],
])('no value of a query of %s occurs in its SQL', (_, cases) => {
  fc.assert(
    fc.property(cases, (example) => {
      const { text, values } = statementOf(example);
      const { programIds } = example.principal;
      const given = [...Object.values(example.query), ...(programIds === 'all' ? [] : programIds)];
      const bound = Object.values(values)
        .flat()
        .filter((value) => String(value).length > 3);
      for (const value of [...given, ...bound]) expect(text).not.toContain(String(value));
    }),
  );
});

test('equal queries have equal statements', () => {
  fc.assert(
    fc.property(fc.oneof(oneWebsite, limitedAdmin), (example) => {
      expect(statementOf(structuredClone(example))).toEqual(statementOf(example));
    }),
  );
});

test('every parameter in the SQL has a value, and every value has a parameter', () => {
  fc.assert(
    fc.property(fc.oneof(oneWebsite, limitedAdmin), (example) => {
      const { text, values } = statementOf(example);
      const parameters = [...text.matchAll(/\{(p\d+):[A-Za-z0-9()]+\}/g)].map(([, name]) => name);
      expect(parameters).toEqual(Object.keys(values));
    }),
  );
});

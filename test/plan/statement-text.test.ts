import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/principal.ts';
import type { ReportQuery } from '../../src/contract/query/query.ts';
import { KINDS } from '../../src/contract/record/kinds.ts';
import { LOCALES } from '../../src/contract/record/labels.ts';
import { planReport } from '../../src/plan/report-plan.ts';
import { reportStatement } from '../../src/plan/report-statement.ts';
import { fc } from '../support/run/properties.ts';
import { ADMIN, affiliateOf } from './principals.ts';

interface Question {
  readonly asker: Principal;
  readonly query: ReportQuery;
  readonly timeZone: string;
  readonly locale: (typeof LOCALES)[number];
}

const statementOf = ({ asker, query, timeZone, locale }: Question) =>
  reportStatement(planReport(query, asker, { timeZone, locale }));

/** Beyond the numbers that stand in the SQL itself. */
const identifier = fc.integer({ min: 1000, max: Number.MAX_SAFE_INTEGER });

const day = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2105-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const period = fc
  .tuple(day, day)
  .map((days) => [...days].sort())
  .map(([start_date = '', end_date = '']) => ({ start_date, end_date }));

const surroundings = {
  type: fc.constantFrom(...KINDS),
  period,
  timeZone: fc.constantFrom('UTC', 'Europe/Paris', 'Asia/Kathmandu'),
  locale: fc.constantFrom(...LOCALES),
};

/** Questions of one shape: they differ in nothing but values. */
const oneWebsite = fc
  .record({ ...surroundings, website: identifier, program_id: identifier })
  .map(({ type, period: days, website, program_id, ...setting }) => ({
    asker: affiliateOf(website),
    query: { type, ...days, program_id: [program_id], publisher_id: [website] },
    ...setting,
  }));

const limitedAdmin = fc
  .record({ ...surroundings, programIds: fc.array(identifier, { minLength: 2, maxLength: 9 }) })
  .map(({ type, period: days, programIds, ...setting }) => ({
    asker: { ...ADMIN, programIds },
    query: { type, ...days },
    ...setting,
  }));

test.each([
  ['one website', oneWebsite],
  ['an admin with many programs', limitedAdmin],
])('two questions of %s have the same SQL, whatever their values', (_, questions) => {
  fc.assert(
    fc.property(questions, questions, (one, other) => {
      expect(statementOf(one).text).toBe(statementOf(other).text);
    }),
  );
});

test.each([
  ['one website', oneWebsite],
  ['an admin with many programs', limitedAdmin],
])('no value of a question of %s stands in its SQL', (_, questions) => {
  fc.assert(
    fc.property(questions, (question) => {
      const { text, values } = statementOf(question);
      const { programIds } = question.asker;
      const asked = [...Object.values(question.query), ...(programIds === 'all' ? [] : programIds)];
      const bound = Object.values(values)
        .flat()
        .filter((value) => String(value).length > 3);
      for (const value of [...asked, ...bound]) expect(text).not.toContain(String(value));
    }),
  );
});

test('equal questions have equal statements', () => {
  fc.assert(
    fc.property(fc.oneof(oneWebsite, limitedAdmin), (question) => {
      expect(statementOf(structuredClone(question))).toEqual(statementOf(question));
    }),
  );
});

test('every place in the SQL has its value, and every value its place', () => {
  fc.assert(
    fc.property(fc.oneof(oneWebsite, limitedAdmin), (question) => {
      const { text, values } = statementOf(question);
      const places = [...text.matchAll(/\{(p\d+):[A-Za-z0-9()]+\}/g)].map(([, name]) => name);
      expect(places).toEqual(Object.keys(values));
    }),
  );
});

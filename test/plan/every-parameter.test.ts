import { expect, test } from 'vitest';
import {
  LIST_PARAMETERS,
  type Parameter,
  type ParameterTable,
  SUMMARY_PARAMETERS,
} from '../../src/contract/query/parameters.ts';
import { PERFORMANCE_PARAMETERS } from '../../src/contract/query/performance-parameters.ts';
import {
  readListQuery,
  readPerformanceQuery,
  readSummaryQuery,
} from '../../src/contract/query/query.ts';
import { reportFormat } from '../../src/http/negotiation/report-format.ts';
import { planPerformance } from '../../src/plan/aggregation/performance-plan.ts';
import {
  performancePageStatement,
  performanceStatement,
} from '../../src/plan/aggregation/performance-statement.ts';
import { planSummary } from '../../src/plan/aggregation/summary-plan.ts';
import { summaryStatement } from '../../src/plan/aggregation/summary-statement.ts';
import { fileStatement, isFilePlan } from '../../src/plan/file-statement.ts';
import { planList } from '../../src/plan/list-plan.ts';
import { listStatement } from '../../src/plan/list-statement.ts';
import { sortedKeysStatement } from '../../src/plan/sorting/sorted-keys.ts';
import type { Statement } from '../../src/plan/sql.ts';
import { ADMIN, PARIS } from './principals.ts';

/** A query without optional parameters. Its values differ from the examples, so that each example changes the SQL. */
const BARE = { type: 'leads', start_date: '2025-03-01', end_date: '2026-06-30' };

const queryString = (more: Readonly<Record<string, string>>): string =>
  new URLSearchParams({ ...BARE, ...more }).toString();

function statementFor(asked: Readonly<Record<string, string>>): Statement {
  const query = readListQuery(queryString(asked), 'admin');
  const after = query.cursor === undefined ? undefined : { at: 1_780_000_000, transactionId: 7 };
  const plan = planList(query, ADMIN, { ...PARIS, form: reportFormat(query, undefined), after });
  if (plan.sort !== undefined) return sortedKeysStatement(plan);
  return isFilePlan(plan) ? fileStatement(plan, '/file') : listStatement(plan);
}

function sumsStatement(asked: Readonly<Record<string, string>>): Statement {
  const query = readSummaryQuery(queryString(asked), 'admin');
  const form = reportFormat(query, undefined);
  return summaryStatement(planSummary(query, ADMIN, { ...PARIS, form }));
}

const linesOf = (table: ParameterTable) =>
  Object.entries<Parameter<unknown>>(table).map(([name, { example }]) => [name, example] as const);

/** Other parameters that a parameter requires. */
const NEEDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sort: { limit: '100' },
  offset: { limit: '100', sort: 'clickid' },
};

test.each(linesOf(LIST_PARAMETERS))(
  'the parameter %s=%s of a list changes its SQL',
  (name, example) => {
    const needed = NEEDED[name] ?? {};
    expect(statementFor({ ...needed, [name]: example })).not.toEqual(statementFor(needed));
  },
);

function performanceText(asked: Readonly<Record<string, string>>): Statement {
  const { type: _, ...period } = BARE;
  const query = readPerformanceQuery(
    `${new URLSearchParams({ ...period, group_by: 'support_id', ...asked })}`,
    'admin',
  );
  const form = reportFormat(query, undefined);
  const plan = planPerformance(query, ADMIN, { ...PARIS, form });
  return plan.limit === undefined
    ? performanceStatement(plan)
    : performancePageStatement(plan, plan.limit);
}

test.each(linesOf(PERFORMANCE_PARAMETERS))(
  'the parameter %s=%s of performance changes its SQL',
  (name, example) => {
    expect(performanceText({ [name]: example })).not.toEqual(performanceText({}));
  },
);

test.each(linesOf(SUMMARY_PARAMETERS))(
  'the parameter %s=%s of a summary changes its SQL',
  (name, example) => {
    const grouped = { group_by: 'program_id' };
    expect(sumsStatement({ ...grouped, [name]: example })).not.toEqual(sumsStatement(grouped));
  },
);

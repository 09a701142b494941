/** What a refused query string is told, for tests of the reading of queries. */

import { type ParameterFault, Problem } from '../../src/contract/problems/problems.ts';
import { readReportQuery } from '../../src/contract/query/query.ts';

/** A query that is right in every respect. */
export const GOOD = { type: 'sales', start_date: '2026-01-01', end_date: '2026-01-31' };

export const queryString = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString();

/** The faults of a query string; none where it is accepted. Lets any other error through. */
export function faultsOf(text: string): readonly ParameterFault[] {
  try {
    readReportQuery(text, 'admin');
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_parameters') return error.faults;
    throw error;
  }
}

/** The faults of a good query with some parameters changed. */
export const faultsWith = (changed: Readonly<Record<string, string>>): readonly ParameterFault[] =>
  faultsOf(queryString({ ...GOOD, ...changed }));

/** Each fault as `parameter code`. */
export const inShort = (faults: readonly ParameterFault[]): readonly string[] =>
  faults.map(({ parameter, code }) => `${parameter} ${code}`);

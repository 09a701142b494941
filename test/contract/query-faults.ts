/** The faults of query strings, for tests of the parser. */

import { type ParameterFault, Problem } from '../../src/contract/problems/problems.ts';
import { readListQuery } from '../../src/contract/query/query.ts';
import type { Role } from '../../src/contract/record/records.ts';

/** A valid query. */
export const GOOD = { type: 'sales', start_date: '2026-01-01', end_date: '2026-01-31' };

export const queryString = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString();

/** The faults of a query string; empty if it is valid. Rethrows any other error. */
export function faultsOf(text: string, role: Role = 'admin'): readonly ParameterFault[] {
  try {
    readListQuery(text, role);
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_parameters') return error.faults;
    throw error;
  }
}

/** The faults of the valid query with some parameters changed. */
export const faultsWith = (changed: Readonly<Record<string, string>>): readonly ParameterFault[] =>
  faultsOf(queryString({ ...GOOD, ...changed }));

/** Each fault as `parameter code`. */
export const faultCodesOf = (faults: readonly ParameterFault[]): readonly string[] =>
  faults.map(({ parameter, code }) => `${parameter} ${code}`);

/** Parses and validates the query strings of reports and of the directory. */

import { type ParameterFault, Problem } from '../problems/problems.ts';
import { readIdentifier } from '../record/identifier.ts';
import type { Kind } from '../record/kinds.ts';
import type { Role } from '../record/records.ts';
import { daysIn, FIRST_DAY, LAST_DAY } from './calendar.ts';
import { CHANGES_PARAMETERS } from './changes-parameters.ts';
import { DIRECTORY_PARAMETERS } from './directory-parameters.ts';
import { type Grouping, isTimeUnit, TIME_UNITS, type TimeUnitLine } from './groupings.ts';
import { PAGES_HINT } from './parameter-hints.ts';
import {
  LIST_PARAMETERS,
  SUMMARY_PARAMETERS,
  TRANSACTION_PARAMETERS,
  type ValuesOf,
} from './parameters.ts';
import { PERFORMANCE_PARAMETERS } from './performance-parameters.ts';
import { invalid, queryWithoutFaults, readParameters } from './read-parameters.ts';

/** The values without `id_lists`, the short form of identifiers in links, which is replaced by the lists themselves. */
type Unpacked<Table> = Omit<ValuesOf<Table>, 'id_lists'>;

/** The query of a list, by the parameters' names. */
export type ListQuery = Unpacked<typeof LIST_PARAMETERS>;

/** The query of a summary. */
export type SummaryQuery = ValuesOf<typeof SUMMARY_PARAMETERS>;

/** The query of performance. */
export type PerformanceQuery = Unpacked<typeof PERFORMANCE_PARAMETERS>;

/** The query of a list of programs or publishers. */
export type DirectoryQuery = ValuesOf<typeof DIRECTORY_PARAMETERS>;

/** Parses the query string (without `?`) of a list of programs or publishers. */
export function readDirectoryQuery(queryString: string, role: Role): DirectoryQuery {
  const { values, faults } = readParameters(DIRECTORY_PARAMETERS, queryString, role);
  return queryWithoutFaults(values, [...faults, ...contradictions(values)]);
}

/** The query of a page of the change feed. */
export type ChangesQuery = Unpacked<typeof CHANGES_PARAMETERS>;

/** Parses the query string (without `?`) of a list. Throws one Problem that names every fault. */
export function readListQuery(queryString: string, role: Role): ListQuery {
  const { values, faults } = readParameters(LIST_PARAMETERS, queryString, role);
  return queryWithoutFaults(values, [
    ...faults,
    ...contradictions(values),
    ...wrongSorting(values, faults),
  ]);
}

/** Parses the query string (without `?`) of a summary. Throws one Problem that names every fault. */
export function readSummaryQuery(queryString: string, role: Role): SummaryQuery {
  const { values, faults } = readParameters(SUMMARY_PARAMETERS, queryString, role);
  return queryWithoutFaults(values, [...faults, ...contradictions(values), ...tooLongFor(values)]);
}

/** Parses the query string (without `?`) of performance. Throws one Problem that names every fault. */
export function readPerformanceQuery(queryString: string, role: Role): PerformanceQuery {
  const { values, faults } = readParameters(PERFORMANCE_PARAMETERS, queryString, role);
  return queryWithoutFaults(values, [...faults, ...contradictions(values), ...tooLongFor(values)]);
}

interface GroupedPeriod {
  readonly start_date?: string;
  readonly end_date?: string;
  readonly group_by?: readonly Grouping[];
}

/** Some units of time are only for short periods. A date with a fault is undefined. */
function tooLongFor({ start_date, end_date, group_by = [] }: GroupedPeriod): ParameterFault[] {
  if (start_date === undefined || end_date === undefined) return [];
  const days = daysIn(start_date, end_date);
  return group_by.filter(isTimeUnit).flatMap((unit) => {
    const { maxDays = days }: TimeUnitLine = TIME_UNITS[unit];
    if (days <= maxDays) return [];
    return [
      invalid('group_by', `Can only contain "${unit}" for a period of at most ${maxDays} days.`),
    ];
  });
}

/** Parses the query string (without `?`) of the change feed. Throws one Problem that names every fault. */
export function readChangesQuery(queryString: string, role: Role): ChangesQuery {
  const { values, faults } = readParameters(CHANGES_PARAMETERS, queryString, role);
  return queryWithoutFaults(values, faults);
}

/**
 * The query for one transaction: a list of all days with at most one record. Throws a Problem if the
 * path names no transaction, or the query string (without `?`) has faults.
 */
export function readTransactionQuery(
  type: Kind,
  transactionId: string,
  queryString: string,
  role: Role,
): ListQuery {
  const { values, faults } = readParameters(TRANSACTION_PARAMETERS, queryString, role);
  const identifier = readIdentifier(transactionId);
  if (identifier === undefined) throw new Problem('transaction_not_found');
  const period = { start_date: FIRST_DAY, end_date: LAST_DAY };
  const query = { ...values, type, ...period, transaction_id: [identifier], limit: 1 };
  return queryWithoutFaults(query, faults);
}

/** Faults of parameters that are valid by themselves and contradict each other. */
function contradictions({ csv, format }: Pick<ListQuery, 'csv' | 'format'>): ParameterFault[] {
  if (csv === undefined || format === undefined || format === 'csv') return [];
  return [invalid('csv', 'Can only be used with format=csv.')];
}

type Sorting = Pick<ListQuery, 'sort' | 'limit' | 'offset' | 'cursor'>;

/** A sorted list has pages only: a whole one would have to be sorted in memory before its first byte. */
function wrongSorting(
  { sort, limit, offset, cursor }: Sorting,
  faults: readonly ParameterFault[],
): ParameterFault[] {
  // A parameter with a fault is undefined, but it is not missing.
  const isMissing = (name: keyof Sorting, value: unknown): boolean =>
    value === undefined && faults.every(({ parameter }) => parameter !== name);
  return [
    ...(sort !== undefined && isMissing('limit', limit)
      ? [invalid('sort', 'Can only be used with limit. Read a sorted list page by page.')]
      : []),
    ...(offset !== undefined && isMissing('sort', sort)
      ? [invalid('offset', `Can only be used with sort.${PAGES_HINT}`)]
      : []),
    ...(offset !== undefined && cursor !== undefined
      ? [invalid('offset', 'Cannot be used with cursor.')]
      : []),
  ];
}

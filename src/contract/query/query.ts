/** Parses and validates the query string of a list, a summary or performance. */

import { type ParameterFault, Problem } from '../problems/problems.ts';
import type { Role } from '../record/records.ts';
import { daysIn } from './calendar.ts';
import { CHANGES_PARAMETERS } from './changes-parameters.ts';
import { type Grouping, isTimeUnit, TIME_UNITS, type TimeUnitLine } from './groupings.ts';
import { hintForUnknown } from './parameter-hints.ts';
import { InvalidValue } from './parameter-values.ts';
import {
  isListParameter,
  PARAMETERS,
  type Parameter,
  type ParameterTable,
  SUMMARY_PARAMETERS,
  type ValuesOf,
} from './parameters.ts';
import { PERFORMANCE_PARAMETERS } from './performance-parameters.ts';

/** The query of a list, by the parameters' names. */
export type ReportQuery = ValuesOf<typeof PARAMETERS>;

/** The query of a summary. */
export type SummaryQuery = ValuesOf<typeof SUMMARY_PARAMETERS>;

/** The query of performance. */
export type PerformanceQuery = ValuesOf<typeof PERFORMANCE_PARAMETERS>;

/** The query of a page of the change feed. */
export type ChangesQuery = ValuesOf<typeof CHANGES_PARAMETERS>;

/** Parses the query string (without `?`) of a list. Throws one Problem that names every fault. */
export function readReportQuery(queryString: string, role: Role): ReportQuery {
  const { values, faults } = readParameters(PARAMETERS, queryString, role);
  return accepted(values, [...faults, ...contradictions(values)]);
}

/** Parses the query string (without `?`) of a summary. Throws one Problem that names every fault. */
export function readSummaryQuery(queryString: string, role: Role): SummaryQuery {
  const { values, faults } = readParameters(SUMMARY_PARAMETERS, queryString, role);
  return accepted(values, [...faults, ...contradictions(values), ...tooLongFor(values)]);
}

/** Parses the query string (without `?`) of performance. Throws one Problem that names every fault. */
export function readPerformanceQuery(queryString: string, role: Role): PerformanceQuery {
  const { values, faults } = readParameters(PERFORMANCE_PARAMETERS, queryString, role);
  return accepted(values, [...faults, ...contradictions(values), ...tooLongFor(values)]);
}

interface GroupedPeriod {
  readonly start_date?: string;
  readonly end_date?: string;
  readonly group_by?: readonly Grouping[];
}

/** Some units of time are only for short periods. A fault of the dates leaves them undefined. */
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
  return accepted(values, faults);
}

/** Faults of parameters that are valid by themselves and contradict each other. */
function contradictions({ csv, format }: Pick<ReportQuery, 'csv' | 'format'>): ParameterFault[] {
  if (csv === undefined || format === undefined || format === 'csv') return [];
  return [invalid('csv', 'Can only be used with format=csv.')];
}

/** Returns the query if it has no faults. */
function accepted<Query extends object>(query: Query, faults: readonly ParameterFault[]): Query {
  if (faults.length > 0) throw new Problem('invalid_parameters', { faults });
  return Object.freeze(query);
}

function readParameters<Table extends ParameterTable>(
  table: Table,
  queryString: string,
  role: Role,
): { values: ValuesOf<Table>; faults: ParameterFault[] } {
  // URLSearchParams drops one leading `?`. A second one belongs to an unknown name.
  const given = textsByName(table, new URLSearchParams(`?${queryString}`), role);
  const faults = unknownParameters(table, given);
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(table)) {
    const texts = given.get(name) ?? [];
    const fault =
      faultInTexts(name, parameter, texts, role) ??
      readInto(values, name, () => parameter.read(texts.join(','), role), texts.length > 0);
    if (fault !== undefined) faults.push(fault);
  }
  const { start_date: first, end_date: last } = values;
  if (typeof first === 'string' && typeof last === 'string' && last < first) {
    faults.push(invalid('end_date', 'Must not be before start_date.'));
  }
  return { values: values as ValuesOf<Table>, faults };
}

/** How clients write the items of a list, apart from commas: `name=1&name=2`, `name[]=1`, `name[0]=1`. */
const ITEM = /^(.+)\[\d*\]$/;

function textsByName(
  table: ParameterTable,
  given: URLSearchParams,
  role: Role,
): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const [key, text] of given) {
    const list = ITEM.exec(key)?.[1];
    const name = list !== undefined && isListParameter(table[list], role) ? list : key;
    texts.set(name, [...(texts.get(name) ?? []), text]);
  }
  return texts;
}

function unknownParameters(
  table: ParameterTable,
  given: ReadonlyMap<string, unknown>,
): ParameterFault[] {
  const names = [...given.keys()].filter((name) => !Object.hasOwn(table, name));
  return names.map((parameter) => ({
    parameter,
    code: 'unknown',
    detail: `Unknown parameter.${hintForUnknown(parameter, Object.keys(table))}`,
  }));
}

function faultInTexts(
  name: string,
  parameter: Parameter<unknown>,
  texts: readonly string[],
  role: Role,
): ParameterFault | undefined {
  const { required, example } = parameter;
  if (texts.length > 1 && !isListParameter(parameter, role)) {
    return { parameter: name, code: 'repeated', detail: 'Must not be repeated.' };
  }
  if (texts.includes('')) {
    return { parameter: name, code: 'empty', detail: 'Must have a value or be omitted.' };
  }
  if (texts.length === 0 && required) {
    const detail = `Is required, for example ${name}=${example}.`;
    return { parameter: name, code: 'missing', detail };
  }
  return undefined;
}

function readInto(
  values: Record<string, unknown>,
  name: string,
  read: () => unknown,
  isGiven: boolean,
): ParameterFault | undefined {
  if (!isGiven) return undefined;
  try {
    values[name] = read();
    return undefined;
  } catch (error) {
    if (error instanceof InvalidValue) return invalid(name, error.message);
    throw error;
  }
}

export const invalid = (parameter: string, detail: string): ParameterFault => ({
  parameter,
  code: 'invalid',
  detail,
});

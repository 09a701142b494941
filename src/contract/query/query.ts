/** From the text of a query string to a question whose values are known to be good. */

import { type ParameterFault, Problem } from '../problems/problems.ts';
import type { Role } from '../record/records.ts';
import { InvalidValue } from './parameter-values.ts';
import {
  PARAMETERS,
  type Parameter,
  type ParameterTable,
  SUMMARY_PARAMETERS,
  type ValuesOf,
} from './parameters.ts';
import { suggestionFor } from './suggestion.ts';

/** What a client asks of a list, under the parameters' names. */
export type ReportQuery = ValuesOf<typeof PARAMETERS>;

/** What a client asks of a summary. */
export type SummaryQuery = ValuesOf<typeof SUMMARY_PARAMETERS>;

/** Reads the query string (without `?`) of a list; throws one Problem that names every fault in it. */
export function readReportQuery(queryString: string, role: Role): ReportQuery {
  const { values, faults } = readParameters(PARAMETERS, queryString, role);
  return accepted(values, [...faults, ...contradictions(values)]);
}

/** The same of a summary. */
export function readSummaryQuery(queryString: string, role: Role): SummaryQuery {
  const { values, faults } = readParameters(SUMMARY_PARAMETERS, queryString, role);
  return accepted(values, [...faults, ...contradictions(values)]);
}

/** Faults of parameters that are good by themselves. */
function contradictions({ csv, format }: Pick<ReportQuery, 'csv' | 'format'>): ParameterFault[] {
  if (csv === undefined || format === undefined || format === 'csv') return [];
  return [invalid('csv', 'Is for the format csv alone.')];
}

/** The value is good where there are no faults. */
function accepted<Query extends object>(query: Query, faults: readonly ParameterFault[]): Query {
  if (faults.length > 0) throw new Problem('invalid_parameters', { faults });
  return Object.freeze(query);
}

function readParameters<Table extends ParameterTable>(
  table: Table,
  queryString: string,
  role: Role,
): { values: ValuesOf<Table>; faults: ParameterFault[] } {
  // A `?` at the beginning is taken off once: one of the client's own is part of a wrong name.
  const given = new URLSearchParams(`?${queryString}`);
  const faults = unknownParameters(table, given);
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(table)) {
    const texts = given.getAll(name);
    const fault =
      faultInTexts(name, parameter, texts) ??
      readInto(values, name, () => parameter.read(texts[0] ?? '', role), texts.length > 0);
    if (fault !== undefined) faults.push(fault);
  }
  const { start_date: first, end_date: last } = values;
  if (typeof first === 'string' && typeof last === 'string' && last < first) {
    faults.push(invalid('end_date', 'Must not be before start_date.'));
  }
  return { values: values as ValuesOf<Table>, faults };
}

function unknownParameters(table: ParameterTable, given: URLSearchParams): ParameterFault[] {
  const names = new Set([...given.keys()].filter((name) => !Object.hasOwn(table, name)));
  return [...names].map((parameter) => ({
    parameter,
    code: 'unknown',
    detail: `There is no such parameter.${suggestionFor(parameter, Object.keys(table))}`,
  }));
}

function faultInTexts(
  name: string,
  { required, example }: Parameter<unknown>,
  texts: readonly string[],
): ParameterFault | undefined {
  if (texts.length > 1) {
    return { parameter: name, code: 'repeated', detail: 'Must be given once.' };
  }
  if (texts[0] === '') {
    return { parameter: name, code: 'empty', detail: 'Must have a value, or be left out.' };
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

/** From the text of a query string to a question whose values are known to be good. */

import {
  InvalidValue,
  isParameterName,
  PARAMETER_NAMES,
  PARAMETERS,
  type ParameterName,
} from './parameters.ts';
import { type ParameterFault, Problem } from './problems.ts';
import { suggestionFor } from './suggestion.ts';

type ValueOf<Name extends ParameterName> = ReturnType<(typeof PARAMETERS)[Name]['read']>;

type RequiredName = {
  [Name in ParameterName]: (typeof PARAMETERS)[Name]['required'] extends true ? Name : never;
}[ParameterName];

/** What a client asks for, under the parameters' names. */
export type ReportQuery = { readonly [Name in RequiredName]: ValueOf<Name> } & {
  readonly [Name in Exclude<ParameterName, RequiredName>]?: ValueOf<Name>;
};

/** Reads a query string (without `?`); throws one Problem that names every fault in it. */
export function readReportQuery(queryString: string): ReportQuery {
  // A `?` at the beginning is taken off once: one of the client's own is part of a wrong name.
  const given = new URLSearchParams(`?${queryString}`);
  const faults = unknownParameters(given);
  const values: Partial<Record<ParameterName, unknown>> = {};
  for (const name of PARAMETER_NAMES) {
    const texts = given.getAll(name);
    const fault = faultInTexts(name, texts) ?? readInto(values, name, texts[0]);
    if (fault !== undefined) faults.push(fault);
  }
  const query = values as ReportQuery;
  if (query.start_date !== undefined && query.end_date < query.start_date) {
    faults.push(invalid('end_date', 'Must not be before start_date.'));
  }
  if (faults.length > 0) throw new Problem('invalid_parameters', { faults });
  return Object.freeze(query);
}

function unknownParameters(given: URLSearchParams): ParameterFault[] {
  const names = new Set([...given.keys()].filter((name) => !isParameterName(name)));
  return [...names].map((parameter) => ({
    parameter,
    code: 'unknown',
    detail: `There is no such parameter.${suggestionFor(parameter, PARAMETER_NAMES)}`,
  }));
}

function faultInTexts(name: ParameterName, texts: readonly string[]): ParameterFault | undefined {
  if (texts.length > 1) {
    return { parameter: name, code: 'repeated', detail: 'Must be given once.' };
  }
  if (texts[0] === '') {
    return { parameter: name, code: 'empty', detail: 'Must have a value, or be left out.' };
  }
  if (texts.length === 0 && PARAMETERS[name].required) {
    const example = `${name}=${PARAMETERS[name].example}`;
    return { parameter: name, code: 'missing', detail: `Is required, for example ${example}.` };
  }
  return undefined;
}

function readInto(
  values: Partial<Record<ParameterName, unknown>>,
  name: ParameterName,
  text: string | undefined,
): ParameterFault | undefined {
  if (text === undefined) return undefined;
  try {
    values[name] = PARAMETERS[name].read(text);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidValue) return invalid(name, error.message);
    throw error;
  }
}

const invalid = (parameter: ParameterName, detail: string): ParameterFault => ({
  parameter,
  code: 'invalid',
  detail,
});

/** Parses the parameters of a query string against their table, and collects every fault. */

import { ID_LIST_NAMES, type IdLists, unpackLists } from '../id-lists.ts';
import { type ParameterFault, Problem } from '../problems/problems.ts';
import type { Role } from '../record/records.ts';
import { hintForUnknown } from './parameter-hints.ts';
import { InvalidValue } from './parameter-values.ts';
import {
  isArrayParameter,
  type Parameter,
  type ParameterTable,
  parametersFor,
  type ValuesOf,
} from './parameters.ts';

/** Returns the query if it has no faults. Otherwise throws a Problem. */
export function queryWithoutFaults<Query extends object>(
  query: Query,
  faults: readonly ParameterFault[],
): Query {
  if (faults.length > 0) throw new Problem('invalid_parameters', { faults });
  return Object.freeze(query);
}

export function readParameters<Table extends ParameterTable>(
  table: Table,
  queryString: string,
  role: Role,
): { values: ValuesOf<Table>; faults: ParameterFault[] } {
  const known = parametersFor(table, role);
  // URLSearchParams drops a leading `?`. Without the one that is added here, it would drop a `?` of the client.
  const given = textsByName(known, new URLSearchParams(`?${queryString}`), role);
  const faults = unknownParameters(given, known, parametersFor(table, 'admin'));
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(known)) {
    const texts = given.get(name) ?? [];
    if (texts.length === 0 && !parameter.required) continue;
    const fault =
      faultInTexts(name, parameter, texts, role) ??
      readInto(values, name, () => parsedTexts(parameter, texts, role));
    if (fault !== undefined) faults.push(fault);
  }
  const merged = mergeIdLists(values, Object.keys(known));
  faults.push(...merged.faults);
  const { start_date: first, end_date: last } = values;
  if (typeof first === 'string' && typeof last === 'string' && last < first) {
    faults.push(invalid('end_date', 'Must not be before start_date.'));
  }
  return { values: merged.values as ValuesOf<Table>, faults };
}

/** A parameter's name with brackets after it, as some clients write each item of a list: `name[]=1`, `name[0]=1`. */
const ITEM = /^(.+)\[\d*\]$/;

function textsByName(
  table: ParameterTable,
  given: URLSearchParams,
  role: Role,
): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const [key, text] of given) {
    const list = ITEM.exec(key)?.[1];
    const isList =
      list !== undefined && Object.hasOwn(table, list) && isArrayParameter(table[list], role);
    const name = isList ? list : key;
    texts.set(name, [...(texts.get(name) ?? []), text]);
  }
  return texts;
}

function unknownParameters(
  given: ReadonlyMap<string, unknown>,
  known: ParameterTable,
  ofAdmins: ParameterTable,
): ParameterFault[] {
  const names = [...given.keys()].filter((name) => !Object.hasOwn(known, name));
  return names.map((parameter) => ({
    parameter,
    code: 'unknown',
    detail: `Unknown parameter.${hintForUnknown(parameter, Object.keys(known), Object.keys(ofAdmins))}`,
  }));
}

/** The fault in the texts of a parameter that is given or required. */
function faultInTexts(
  name: string,
  parameter: Parameter<unknown>,
  texts: readonly string[],
  role: Role,
): ParameterFault | undefined {
  if (texts.length > 1 && !isArrayParameter(parameter, role)) {
    return { parameter: name, code: 'repeated', detail: 'Must not be repeated.' };
  }
  if (texts.includes('')) {
    return { parameter: name, code: 'empty', detail: 'Must have a value or be omitted.' };
  }
  if (texts.length === 0) {
    const detail = `Is required, for example ${name}=${parameter.example}.`;
    return { parameter: name, code: 'missing', detail };
  }
  return undefined;
}

/** The value of one or more texts. A repeated item of a list counts once. */
function parsedTexts(parameter: Parameter<unknown>, texts: readonly string[], role: Role): unknown {
  if (!parameter.repeats) return parameter.read(texts.join(','), role);
  return [...new Set(texts.flatMap((text) => parameter.read(text, role)))];
}

function readInto(
  values: Record<string, unknown>,
  name: string,
  read: () => unknown,
): ParameterFault | undefined {
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

/** The values of a query after its packed lists were added, and the faults of these lists. */
interface Merged {
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: readonly ParameterFault[];
}

/**
 * Unpacks the parameter `id_lists`, and adds its lists to the other values. `names` are the parameters of the
 * endpoint. A list that is also given by itself must have the same values in both.
 */
function mergeIdLists(
  { id_lists: text, ...values }: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Merged {
  if (typeof text !== 'string') return { values, faults: [] };
  const lists: IdLists = unpackLists(text) ?? {};
  const packed = ID_LIST_NAMES.filter((name) => lists[name] !== undefined);
  const faults = packed.flatMap((name) => {
    if (!names.includes(name))
      return [invalid('id_lists', `Has ${name}, which is not a parameter of this request.`)];
    const given = values[name];
    const isSame = given === undefined || isSameList(given, lists[name] ?? []);
    return isSame
      ? []
      : [invalid('id_lists', `Has other values than ${name}. Omit one of the two parameters.`)];
  });
  return { values: { ...values, ...lists }, faults };
}

/** Whether two lists have the same values, in any order. Neither list has a value twice. */
function isSameList(given: unknown, list: readonly number[]): boolean {
  const known = new Set(list);
  return Array.isArray(given) && given.length === known.size && given.every((id) => known.has(id));
}

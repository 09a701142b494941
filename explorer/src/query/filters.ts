/** Filters of a query, derived from the parameters of the contract. */

import {
  InvalidValue,
  readCountries,
  readIdentifiers,
} from '../../../src/contract/query/parameter-values.ts';
import {
  type ParameterTable,
  parametersFor,
  SUMMARY_PARAMETERS,
} from '../../../src/contract/query/parameters.ts';
import { nameFieldOf } from '../../../src/contract/record/directory.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import type { Texts } from '../texts/texts.ts';

const PARAMETERS: ParameterTable = SUMMARY_PARAMETERS;

/** Parameters with their own controls, and parameters of the response. */
const NOT_FILTERS = [
  'type',
  'start_date',
  'end_date',
  'date_field',
  'group_by',
  'names',
  'format',
  'csv',
];

/** All filters: those that select by a field, and those that exclude by it. */
export const FILTER_NAMES: readonly string[] = Object.keys(PARAMETERS).filter(
  (name) => !NOT_FILTERS.includes(name),
);

const EXCLUDE = 'exclude_';

export const isExclusion = (name: string): boolean => name.startsWith(EXCLUDE);

/** The filter by the same field that excludes what this filter selects, or selects what it excludes. */
export const oppositeOf = (name: string): string =>
  isExclusion(name) ? fieldOf(name) : `${EXCLUDE}${name}`;

/** The field that a filter selects or excludes by. */
export const fieldOf = (name: string): string =>
  isExclusion(name) ? name.slice(EXCLUDE.length) : name;

/** The filters of a role: those that select, and those that exclude. */
export const filtersOf = (role: Role): readonly string[] => {
  const known = parametersFor(PARAMETERS, role);
  return FILTER_NAMES.filter((name) => Object.hasOwn(known, name));
};

/** The filters that a user can add: those that select. */
export const selectingFilters = (role: Role): readonly string[] =>
  filtersOf(role).filter((name) => !isExclusion(name));

/** Whether values of the filter may contain commas, so that the API takes each value in a parameter of its own. */
export const isRepeated = (name: string): boolean => PARAMETERS[name]?.repeats === true;

/** A line break if values may contain commas, or else a comma. */
const separatorOf = (name: string): string => (isRepeated(name) ? '\n' : ',');

/** The values in the text of a filter. */
export const valuesOf = (name: string, text: string): readonly string[] => {
  const values = text === '' ? [] : text.split(separatorOf(name));
  return isRepeated(name) ? values.map(unescaped) : values;
};

/** The text of a filter with these values. */
export const textOf = (name: string, values: readonly string[]): string =>
  (isRepeated(name) ? values.map(escaped) : values).join(separatorOf(name));

/** Free texts may contain line breaks, which would separate values. */
const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\\n])/g, (_, mark: string) => (mark === 'n' ? '\n' : mark));

/** The filters that the form shows by default. */
export const DEFAULT_FILTERS: readonly string[] = ['program_id', 'publisher_id', 'status'];

/** The text of each filter that applies. */
export type Filters = Readonly<Record<string, string>>;

/** Whether the service accepts this text of a filter. */
export function isValid(name: string, text: string): boolean {
  try {
    const texts = isRepeated(name) ? valuesOf(name, text) : [text];
    for (const one of texts) PARAMETERS[name]?.read(one, 'admin');
    return texts.length > 0 && !texts.includes('');
  } catch (error) {
    if (error instanceof InvalidValue) return false;
    throw error;
  }
}

/** The hints for filters with several values. The key is the function that parses the values. */
const HINTS: ReadonlyMap<unknown, keyof Texts['faults']> = new Map<unknown, keyof Texts['faults']>([
  [readIdentifiers, 'identifiers'],
  [readCountries, 'countries'],
]);

/** The hint for an invalid text that a user typed. Some filters also accept names. */
export const hintFor = (name: string, texts: Texts): string =>
  nameFieldOf(fieldOf(name)) === undefined ? hintForSent(name, texts) : texts.faults.named;

/** The hint for a value that the service refused. The service accepts identifiers, but no names. */
export const hintForSent = (name: string, { faults }: Texts): string =>
  faults[HINTS.get(PARAMETERS[name]?.read) ?? 'text'];

/** The label of a filter. The filter by status is named "Status", not "Status code", because it shows no codes. */
export const filterLabel = (name: string, texts: Texts): string =>
  fieldLabel(name === 'status' ? 'status_label' : name, texts);

/** The label of a field, measure or parameter. */
export function fieldLabel(name: string, texts: Texts): string {
  if (isExclusion(name)) return texts.filter.labelNot(filterLabel(fieldOf(name), texts));
  const known: Readonly<Record<string, string>> = texts.fields;
  return known[name] ?? labelFromName(name);
}

const labelFromName = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

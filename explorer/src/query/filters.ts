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
import { namesOfField } from '../../../src/contract/record/directory.ts';
import type { Texts } from '../texts/texts.ts';

/** Those that both roles have. */
const PARAMETERS: ParameterTable = parametersFor(SUMMARY_PARAMETERS, 'affiliate');

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

export const FILTER_NAMES: readonly string[] = Object.keys(PARAMETERS).filter(
  (name) => !NOT_FILTERS.includes(name) && !name.startsWith('exclude_'),
);

/** The filters that the form always shows. */
export const DEFAULT_FILTERS: readonly string[] = ['program_id', 'publisher_id', 'status'];

export type Filters = Readonly<Record<string, string>>;

/** Whether the service accepts this text of a filter. */
export function isValid(name: string, text: string): boolean {
  try {
    PARAMETERS[name]?.read(text, 'admin');
    return text !== '';
  } catch (error) {
    if (error instanceof InvalidValue) return false;
    throw error;
  }
}

/** The hint of each filter with several values, by its parser. */
const HINTS: ReadonlyMap<unknown, keyof Texts['faults']> = new Map<unknown, keyof Texts['faults']>([
  [readIdentifiers, 'identifiers'],
  [readCountries, 'countries'],
]);

/** Whether a filter takes a comma-separated list. */
export const isMultiValue = (name: string): boolean => HINTS.has(PARAMETERS[name]?.read);

/** The hint for an invalid value of a filter. */
export const hintFor = (name: string, { faults }: Texts): string =>
  faults[
    namesOfField(name) === undefined ? (HINTS.get(PARAMETERS[name]?.read) ?? 'text') : 'named'
  ];

/** The label of a field, measure or parameter. */
export function fieldLabel(name: string, { fields }: Texts): string {
  const known: Readonly<Record<string, string>> = fields;
  return known[name] ?? labelFromName(name);
}

const labelFromName = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The filters that a question may have: those that the contract has parameters for. */

import {
  InvalidValue,
  readCountries,
  readIdentifiers,
} from '../../../src/contract/query/parameter-values.ts';
import { type ParameterTable, SUMMARY_PARAMETERS } from '../../../src/contract/query/parameters.ts';
import type { Texts } from '../texts/texts.ts';

const PARAMETERS: ParameterTable = SUMMARY_PARAMETERS;

/** What a question has a place of its own for, or is about the form of an answer. */
const NO_FILTERS = ['type', 'start_date', 'end_date', 'date_field', 'group_by', 'format', 'csv'];

export const FILTER_NAMES: readonly string[] = Object.keys(PARAMETERS).filter(
  (name) => !NO_FILTERS.includes(name),
);

/** Always to be seen; the others on demand. */
export const STANDING_FILTERS: readonly string[] = ['program_id', 'publisher_id', 'status'];

export type Filters = Readonly<Record<string, string>>;

/** Whether the service understands the text of a filter. */
export function isGood(name: string, text: string): boolean {
  try {
    PARAMETERS[name]?.read(text, 'admin');
    return text !== '';
  } catch (error) {
    if (error instanceof InvalidValue) return false;
    throw error;
  }
}

/** Of filters that take several values, by the way in which they are read. */
const RULES: ReadonlyMap<unknown, keyof Texts['faults']> = new Map<unknown, keyof Texts['faults']>([
  [readIdentifiers, 'identifiers'],
  [readCountries, 'countries'],
]);

/** Whether a filter takes several values, with commas between them. */
export const isList = (name: string): boolean => RULES.has(PARAMETERS[name]?.read);

/** What the text of a filter must be, in the reader's words. */
export const ruleOf = (name: string, { faults }: Texts): string =>
  faults[RULES.get(PARAMETERS[name]?.read) ?? 'text'];

/** The name of a field, of a measure or of a parameter, for readers. */
export function nameOf(name: string, { fields }: Texts): string {
  const known: Readonly<Record<string, string>> = fields;
  return known[name] ?? spelledOut(name);
}

const spelledOut = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

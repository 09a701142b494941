/** The values of a filter as switches: one that is pressed is asked for, and let go of when it is pressed again. */

import { type ParameterTable, SUMMARY_PARAMETERS } from '../../../src/contract/query/parameters.ts';
import type { Filters } from '../query/filters.ts';

const PARAMETERS: ParameterTable = SUMMARY_PARAMETERS;

/** As the service reads them, such as countries in upper case. */
export function isFilterOn(filters: Filters, name: string): readonly string[] {
  const text = filters[name];
  const values = text === undefined ? [] : PARAMETERS[name]?.read(text, 'admin');
  return Array.isArray(values) ? values.map(String) : [];
}

/** Only this value, or all that was asked for without it. */
export function toggleFilter(filters: Filters, name: string, value: string): Filters {
  const pressed = isFilterOn(filters, name);
  if (!pressed.includes(value)) return { ...filters, [name]: value };
  const { [name]: _, ...others } = filters;
  const left = pressed.filter((other) => other !== value);
  return left.length === 0 ? others : { ...filters, [name]: left.join(',') };
}

/** Toggles values of a filter, for buttons that filter by a value. */

import { type ParameterTable, SUMMARY_PARAMETERS } from '../../../src/contract/query/parameters.ts';
import { type Filters, isRepeated, textOf, valuesOf } from '../query/filters.ts';

const PARAMETERS: ParameterTable = SUMMARY_PARAMETERS;

/** The values as the service reads them, such as countries in upper case. */
export function selectedValues(filters: Filters, name: string): readonly string[] {
  const text = filters[name];
  if (text !== undefined && isRepeated(name)) return valuesOf(name, text);
  const values = text === undefined ? [] : PARAMETERS[name]?.read(text, 'admin');
  return Array.isArray(values) ? values.map(String) : [];
}

/** Removes the value if it is selected. Otherwise selects only this value. */
export function toggleFilter(filters: Filters, name: string, value: string): Filters {
  const selected = selectedValues(filters, name);
  if (!selected.includes(value)) return { ...filters, [name]: textOf(name, [value]) };
  const { [name]: _, ...others } = filters;
  const left = selected.filter((other) => other !== value);
  return left.length === 0 ? others : { ...filters, [name]: textOf(name, left) };
}

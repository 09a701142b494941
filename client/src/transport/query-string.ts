/** Query strings with sorted names. */

import { REPEATED_PARAMETERS } from '../contract.ts';

/** An array is a comma-separated list, or repeats the parameter if its values may contain commas. */
export type QueryParameters = Readonly<
  Record<string, string | number | readonly (string | number)[] | undefined>
>;

/**
 * Sorts the names, so that equal requests have equal query strings. An empty array stays as an
 * empty value, which the service refuses. Without the parameter, the service would send everything.
 */
export function queryString(parameters: QueryParameters): string {
  const asked = Object.entries(parameters)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, value]) => (value === undefined ? [] : pairsOf(name, value)));
  return new URLSearchParams(asked).toString();
}

function pairsOf(name: string, value: NonNullable<QueryParameters[string]>): string[][] {
  const isRepeated = REPEATED_PARAMETERS.some((repeated) => repeated === name);
  if (!isRepeated || typeof value !== 'object' || value.length === 0)
    return [[name, String(value)]];
  return value.map((item) => [name, String(item)]);
}

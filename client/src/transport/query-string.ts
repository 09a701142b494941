/** Query strings with sorted names. */

/** An array is a comma-separated list. */
export type Parameters = Readonly<
  Record<string, string | number | readonly (string | number)[] | undefined>
>;

/**
 * Sorts the names, so that equal requests have equal query strings. An empty array stays as an
 * empty value, which the service refuses. Without the parameter, the service would send everything.
 */
export function queryString(parameters: Parameters): string {
  const asked = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return new URLSearchParams(asked).toString();
}

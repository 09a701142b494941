/** Writes parameters as a query string. */

/** Lists are several values of one parameter. */
export type Parameters = Readonly<
  Record<string, string | number | readonly (string | number)[] | undefined>
>;

/**
 * In the order of the names, so that equal questions are equal texts. An empty list stays, as a
 * parameter without a value, which the service refuses: left out, it would ask for everything.
 */
export function queryString(parameters: Parameters): string {
  const asked = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return new URLSearchParams(asked).toString();
}

/** Types of API parameters and result rows. */

import { isRepeated, valuesOf } from './filters.ts';

/** The parameters of a request by name. Line breaks separate the values of a repeated parameter. */
export type ApiQuery = Readonly<Record<string, string>>;

/** The parameters of a URL as pairs of name and value: a name with several lines is repeated. */
export const urlParameters = (query: ApiQuery): string[][] =>
  Object.entries(query).flatMap(([name, text]) =>
    isRepeated(name) ? valuesOf(name, text).map((value) => [name, value]) : [[name, text]],
  );

/** The parameters as the client takes them. */
export const clientParameters = (query: ApiQuery): Readonly<Record<string, string | string[]>> =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const values = isRepeated(name) ? valuesOf(name, text) : [text];
      return [name, values.length > 1 ? [...values] : text];
    }),
  );

/** A record or a group of a summary. */
export type ResultRow = Readonly<Record<string, string | number | null>>;

/** Types of API parameters and result rows. */

import { isRepeated, valuesOf } from './filters.ts';

/** The parameters of a request by name. `textOf` writes the values of a repeated parameter. */
export type ApiQuery = Readonly<Record<string, string>>;

/** Pairs of name and value for a URL. A repeated parameter has one pair for each value. */
export const urlParameters = (query: ApiQuery): string[][] =>
  Object.entries(query).flatMap(([name, text]) =>
    isRepeated(name) ? valuesOf(name, text).map((value) => [name, value]) : [[name, text]],
  );

/** The parameters for the project's client, which takes several values as an array. */
export const clientParameters = (query: ApiQuery): Readonly<Record<string, string | string[]>> =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const [only = '', ...others] = isRepeated(name) ? valuesOf(name, text) : [text];
      return [name, others.length === 0 ? only : [only, ...others]];
    }),
  );

/** A row of any response: a record, a group or an entry of the directory. */
export type ResultRow = Readonly<Record<string, string | number | null>>;

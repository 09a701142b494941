/** The parameter `sort`: a name, with `-` before it for descending order. */

import { InvalidValue } from '../parameter-values.ts';
import { didYouMean, nearestName } from '../suggestion.ts';

/** The order of records by a value. */
export interface Sort {
  /** The name of a field, measure or ratio. */
  readonly by: string;
  readonly isDescending: boolean;
}

/** The order that a value of the parameter stands for. */
export const sortOf = (value: string): Sort => ({
  by: value.replace(/^-/, ''),
  isDescending: value.startsWith('-'),
});

/** The value of the parameter for an order. */
export const sortText = ({ by, isDescending }: Sort): string => (isDescending ? `-${by}` : by);

/** Each name in ascending and in descending order. */
export const inBothOrders = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [name, `-${name}`]);

/** Reads a name with an optional `-`. In errors, `what` describes the names; `hint` replaces a suggestion. */
export function readSort(
  text: string,
  names: readonly string[],
  what: string,
  hint?: string,
): string {
  const sort = sortOf(text);
  if (names.includes(sort.by)) return text;
  const meant = nearestName(sort.by, names);
  const suggestion = meant === undefined ? '' : didYouMean([sortText({ ...sort, by: meant })]);
  throw new InvalidValue(
    `Must be ${what}, or with "-" before it for descending order.${hint ?? suggestion}`,
  );
}

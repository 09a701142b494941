/** Values of a filter with their names, and the identifier that a typed name means. */

import { readIdentifier } from '../../../../src/contract/record/identifier.ts';
import { normalizedName } from './countries.ts';

export interface NamedValue {
  readonly value: string;
  /** The name in the directory; undefined without one. */
  readonly name?: string | undefined;
  /** How many transactions have the value; undefined if it is not known. */
  readonly count?: number | undefined;
}

/** A single letter is part of most names. */
export const MIN_NAME_LENGTH = 2;

/** The only identifier with this name, or else whose name contains the text. Undefined for an identifier. */
export function identifierNamed(text: string, values: readonly NamedValue[]): string | undefined {
  // A number is an identifier, even if the name of another program contains it.
  if (readIdentifier(text) !== undefined) return undefined;
  const wanted = normalizedName(text);
  if (wanted.length < MIN_NAME_LENGTH) return undefined;
  const named = (isMatch: (name: string) => boolean) =>
    values.filter(({ name }) => name !== undefined && isMatch(normalizedName(name)));
  const exact = named((name) => name === wanted);
  const [only, ...others] = exact.length > 0 ? exact : named((name) => name.includes(wanted));
  return others.length === 0 ? only?.value : undefined;
}

/** The values of both lists, each once. Name and count come from the first list that has them. */
export function mergedValues(
  some: readonly NamedValue[],
  others: readonly NamedValue[],
): readonly NamedValue[] {
  const byValue = new Map(some.map((one) => [one.value, one]));
  for (const { value, name, count } of others) {
    const known = byValue.get(value);
    byValue.set(value, { value, name: known?.name ?? name, count: known?.count ?? count });
  }
  return [...byValue.values()];
}

/** What is meant by what a reader writes into a filter, in the words that the service compares with. */

import { countryIn } from './countries.ts';

export interface Written {
  readonly text: string;
  /** The language (BCP 47) in which it is written. */
  readonly tag: string;
  /** Values that there are. */
  readonly known: readonly string[];
}

/** Whether a filter takes several values, with commas between them. */
export const isList = (name: string): boolean => name === 'country' || name.endsWith('_id');

export function meantBy(name: string, { text, tag, known }: Written): string {
  if (!isList(name)) return asKnown(text.trim(), known);
  const items = text.split(',').map((item) => item.trim());
  return items.map((item) => (name === 'country' ? countryIn(item, tag) : item)).join(',');
}

/** Texts are compared letter by letter: where only the case differs, the known one is meant. */
function asKnown(text: string, known: readonly string[]): string {
  if (known.includes(text)) return text;
  return known.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text;
}

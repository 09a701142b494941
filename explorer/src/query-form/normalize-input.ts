/** What is meant by what a reader writes into a filter, in the words that the service compares with. */

import { isList } from '../query/filters.ts';
import type { Formats } from '../ui/formats.ts';
import { countryIn } from './countries.ts';

export interface Written {
  readonly text: string;
  /** Of the language in which it is written. */
  readonly formats: Formats;
  /** Values that there are. */
  readonly known: readonly string[];
}

/** What the values of a filter are called on the page, where that is not what the service calls them. */
export const CALLED: Readonly<
  Record<string, ((value: string, formats: Formats) => string) | undefined>
> = {
  country: (code, formats) => formats.country(code),
  device_type: (type, formats) => formats.device(type),
};

export function normalizeInput(name: string, written: Written): string {
  const { text, formats } = written;
  if (!isList(name)) return asKnown(name, text.trim(), written);
  const items = text.split(',').map((item) => item.trim());
  return items.map((item) => (name === 'country' ? countryIn(item, formats.tag) : item)).join(',');
}

/** Texts are compared letter by letter: where only the case differs, or the reader's word is written, the known one is meant. */
function asKnown(name: string, text: string, { formats, known }: Written): string {
  if (known.includes(text)) return text;
  const isMeant = (word: string | undefined) => word?.toLowerCase() === text.toLowerCase();
  return (
    known.find((value) => isMeant(value)) ??
    known.find((value) => isMeant(CALLED[name]?.(value, formats))) ??
    text
  );
}

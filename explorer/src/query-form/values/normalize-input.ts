/** Normalizes the typed text of a filter into values of the API, such as country names into codes. */

import { fieldOf, isMultiValue, isRepeated, textOf, valuesOf } from '../../query/filters.ts';
import type { Formats } from '../../ui/formats.ts';
import { countryIn } from './countries.ts';
import { identifierNamed, type NamedValue } from './named-values.ts';

export interface FilterInput {
  readonly text: string;
  /** Formats of the user's language. */
  readonly formats: Formats;
  /** Values seen in responses. */
  readonly known: readonly string[];
  /** Values with names, for filters by identifier. */
  readonly named?: readonly NamedValue[];
}

/** Labels of values that differ from the values themselves. */
export const VALUE_LABELS: Readonly<
  Record<string, ((value: string, formats: Formats) => string) | undefined>
> = {
  country: (code, formats) => formats.country(code),
  device_type: (type, formats) => formats.device(type),
};

/** Between the values of free texts, which may contain commas. */
const BAR = ' | ';

/** The text of a filter as the input shows it. */
export const shownText = (name: string, text: string): string =>
  isRepeated(name) ? valuesOf(name, text).join(BAR) : text;

/** The typed items, the last of which may be incomplete. */
export function itemsIn(name: string, typed: string): readonly string[] {
  if (isRepeated(name)) return typed.split(BAR.trimEnd());
  return isMultiValue(name) ? typed.split(',') : [typed];
}

export function normalizeInput(name: string, input: FilterInput): string {
  const { text, formats, named = [] } = input;
  const items = itemsIn(name, text).map((item) => item.trim());
  if (isRepeated(name)) {
    return textOf(
      name,
      items.map((item) => knownValue(fieldOf(name), item, input)),
    );
  }
  if (!isMultiValue(name)) return knownValue(name, text.trim(), input);
  return items
    .map((item) =>
      fieldOf(name) === 'country'
        ? countryIn(item, formats.tag)
        : (identifierNamed(item, named) ?? item),
    )
    .join(',');
}

/** The API compares exactly. Replaces a text by a known value that differs in case, or by the value of a label. */
function knownValue(name: string, text: string, { formats, known }: FilterInput): string {
  if (known.includes(text)) return text;
  const isSameText = (word: string | undefined) => word?.toLowerCase() === text.toLowerCase();
  return (
    known.find((value) => isSameText(value)) ??
    known.find((value) => isSameText(VALUE_LABELS[name]?.(value, formats))) ??
    text
  );
}

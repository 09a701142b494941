/** Normalizes the typed text of a filter into values of the API, such as country names into codes. */

import { STATUS_LABELS } from '../../../../src/contract/record/labels.ts';
import { STATUSES } from '../../../../src/contract/record/statuses.ts';
import { fieldOf, isRepeated, textOf, valuesOf } from '../../query/filters.ts';
import { labelLocaleOf } from '../../texts/languages.ts';
import type { LocaleFormats } from '../../ui/formats.ts';
import { countryIn } from './countries.ts';
import { identifierNamed, type NamedValue } from './named-values.ts';

export interface TypedText {
  readonly text: string;
  /** Formats of the user's language. */
  readonly formats: LocaleFormats;
  /** The values that the filter suggests. */
  readonly known: readonly string[];
  /** Values with names, for filters by identifier. */
  readonly named?: readonly NamedValue[];
}

/** The label of a value, by filter. Filters without an entry show the values themselves. */
export const VALUE_LABELS: Readonly<
  Record<string, ((value: string, formats: LocaleFormats) => string) | undefined>
> = {
  country: (code, formats) => formats.country(code),
  device_type: (type, formats) => formats.device(type),
  status: (text, { tag }) => {
    const status = STATUSES.find((one) => String(one) === text);
    return status === undefined ? text : STATUS_LABELS[labelLocaleOf(tag)][status];
  },
};

/** Separates values of free text in the input, because such values may contain commas. */
const BAR = ' | ';

/** The text of a filter as the input shows it. */
export const shownText = (name: string, text: string): string =>
  isRepeated(name) ? valuesOf(name, text).join(BAR) : text;

/** The typed items, the last of which may be incomplete. */
export const itemsIn = (name: string, typed: string): readonly string[] =>
  typed.split(isRepeated(name) ? BAR.trim() : ',');

export function normalizeInput(name: string, input: TypedText): string {
  const { text, formats, named = [] } = input;
  const field = fieldOf(name);
  const meant = (item: string): string =>
    field === 'country'
      ? countryIn(item, formats.tag)
      : (identifierNamed(item, named) ?? knownValue(field, item, input));
  const items = itemsIn(name, text).map((item) => item.trim());
  return textOf(name, items.filter((item) => item !== '').map(meant));
}

/**
 * Replaces a text by the known value that has this label or differs only in case, because the API compares exactly.
 * Returns other texts unchanged.
 */
function knownValue(name: string, text: string, { formats, known }: TypedText): string {
  if (known.includes(text)) return text;
  const isSameText = (word: string | undefined) => word?.toLowerCase() === text.toLowerCase();
  return (
    known.find((value) => isSameText(value)) ??
    known.find((value) => isSameText(VALUE_LABELS[name]?.(value, formats))) ??
    text
  );
}

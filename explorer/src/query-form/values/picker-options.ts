/** The options of a picker: known values that contain the typed item, and whether each is chosen. */

import { fieldOf, valuesOf } from '../../query/filters.ts';
import type { LocaleFormats } from '../../ui/formats.ts';
import { normalizedName } from './countries.ts';
import type { NamedValue } from './named-values.ts';
import { VALUE_LABELS } from './normalize-input.ts';

export interface PickerOption {
  readonly value: string;
  /** The name, or the value in the user's language. */
  readonly label: string;
  /** How many transactions have the value; undefined if it is not known. */
  readonly count: number | undefined;
  readonly isChosen: boolean;
}

/** The most options that are shown. */
export const MAX_OPTIONS = 50;

/** The name of a value, the value in the user's language, or the value itself. */
export const labelOfValue = (
  filter: string,
  { value, name }: NamedValue,
  formats: LocaleFormats,
): string => name ?? VALUE_LABELS[fieldOf(filter)]?.(value, formats) ?? value;

/** `text` is the applied filter, and `item` the text being typed. Choosing options does not reorder them. */
export function pickerOptions(
  name: string,
  text: string,
  item: string,
  known: readonly NamedValue[],
  formats: LocaleFormats,
): readonly PickerOption[] {
  const chosen = valuesOf(name, text);
  const unknown = chosen.filter((value) => known.every((one) => one.value !== value));
  const all: readonly NamedValue[] = [...unknown.map((value) => ({ value })), ...known];
  const wanted = normalizedName(item);
  const options = all.map(({ value, name: named, count }) => ({
    value,
    label: labelOfValue(name, { value, name: named }, formats),
    count,
    isChosen: chosen.includes(value),
  }));
  return options.filter(({ value, label }) =>
    [value, label].some((one) => normalizedName(one).includes(wanted)),
  );
}

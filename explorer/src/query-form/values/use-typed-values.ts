/** React hook for the applied values of a filter, and for the typed text that is not applied yet. */

import { useState } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { fieldOf, isValid, textOf, valuesOf } from '../../query/filters.ts';
import { useDraft } from '../use-draft.ts';
import { itemsIn, normalizeInput } from './normalize-input.ts';
import { labelOfValue, type PickerOption, pickerOptions } from './picker-options.ts';
import { useNamedValues } from './use-named-values.ts';

export interface ChipValue {
  readonly value: string;
  readonly label: string;
}

export interface TypedValues {
  readonly text: string;
  /** The applied values with their labels, without the one being edited. */
  readonly chips: readonly ChipValue[];
  readonly options: readonly PickerOption[];
  readonly isInvalid: boolean;
  /** The value that is being edited. */
  readonly edited: string | undefined;
  type(text: string): void;
  /** Applies the typed text in addition to the other values, if it is valid. */
  commit(): void;
  toggle(option: PickerOption): void;
  remove(value: string): void;
  /** Moves a value into the input, where typing replaces it. If other text was typed before, applies that instead. */
  edit(value: string): void;
  /** Undoes `edit`. */
  stopEditing(): void;
}

const NOTHING = { text: '', edited: undefined as string | undefined };

/** `value` is the applied text of the filter. */
export function useTypedValues(
  name: string,
  value: string,
  isFocused: boolean,
  set: (text: string) => void,
): TypedValues {
  const { formats } = useLocalization();
  const [{ text, edited }, setDraft] = useDraft(NOTHING, value);
  const [isTyping, setTyping] = useState(false);
  const applied = valuesOf(name, value);
  const values = applied.filter((one) => one !== edited);
  // An edited value is not parsed until its text changes. Otherwise a value with a `|` would become two values.
  const isUnchanged = text === (edited ?? '');
  const kept = isUnchanged ? applied : values;
  const items = isUnchanged ? [] : itemsIn(name, text);
  const item = (items.at(-1) ?? '').trim();
  const named = useNamedValues(fieldOf(name), {
    chosen: applied,
    typed: item,
    isEdited: isFocused,
  });
  const known = named.map((one) => one.value);
  const normalized = (typed: string): readonly string[] =>
    valuesOf(name, normalizeInput(name, { text: typed, formats, known, named }));
  const areValid = (some: readonly string[]) =>
    some.length === 0 || isValid(name, textOf(name, some));
  const typed = isUnchanged ? [] : normalized(text);
  const isAccepted = areValid([...values, ...typed]);
  const valid = isAccepted ? typed : [];
  const apply = (next: readonly string[]) => {
    setTyping(false);
    setDraft(NOTHING);
    const unique = textOf(name, [...new Set(next)]);
    if (unique !== value) set(unique);
  };
  const commit = () => {
    setTyping(false);
    if (isUnchanged) setDraft(NOTHING);
    else if (isAccepted) apply([...values, ...typed]);
  };
  return {
    text,
    edited,
    chips: values.map((one) => {
      const known = named.find((other) => other.value === one) ?? { value: one };
      return { value: one, label: labelOfValue(name, known, formats) };
    }),
    options: pickerOptions(name, value, item, named, formats),
    isInvalid: !isTyping && !isAccepted,
    type: (next) => {
      setTyping(next !== '');
      setDraft({ text: next, edited });
    },
    commit,
    toggle: ({ value: one, isChosen }) => {
      // The last item only searched for the option, so it is not applied.
      const before = items.slice(0, -1).flatMap(normalized);
      const others = [...kept, ...(areValid(before) ? before : [])];
      if (isChosen) apply(others.filter((other) => other !== one));
      else apply([...others, one]);
    },
    remove: (one) => apply([...kept.filter((other) => other !== one), ...valid]),
    edit: (one) => (isUnchanged ? setDraft({ text: one, edited: one }) : commit()),
    stopEditing: () => setDraft(NOTHING),
  };
}

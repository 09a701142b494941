/** Input of one filter and the picker below it (WAI-ARIA combobox). */

import type { KeyboardEvent, RefObject } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { TypedValues } from '../values/use-typed-values.ts';
import type { Picker } from './use-picker.ts';
import { optionId, ValuePicker } from './value-picker.tsx';

interface FilterInputProps {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly typed: TypedValues;
  readonly picker: Picker;
  focus(): void;
  blur(): void;
}

export function FilterInput(props: FilterInputProps) {
  const { ref, id, name, label, typed, picker, focus, blur } = props;
  const { texts } = useLocalization();
  const listId = `${id}-values`;
  const onKeyDown = (event: KeyboardEvent) => {
    const last = typed.chips.at(-1);
    const isErasing = event.key === 'Backspace' && typed.text === '';
    // If a value is being edited and its text is empty, Backspace removes this value, not the last chip.
    if (isErasing && typed.edited !== undefined) typed.commit();
    else if (isErasing && last !== undefined) typed.remove(last.value);
    else if (event.key === 'Escape' && !picker.isOpen) typed.stopEditing();
    else picker.press(event);
  };
  return (
    <>
      <input
        ref={ref}
        id={id}
        data-control={name}
        role="combobox"
        value={typed.text}
        placeholder={typed.chips.length === 0 ? texts.account.all : undefined}
        autoComplete="off"
        aria-expanded={picker.isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={
          picker.active === undefined ? undefined : optionId(listId, picker.active)
        }
        aria-invalid={typed.isInvalid}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => {
          typed.type(target.value);
          picker.open();
        }}
        onClick={picker.open}
        onFocus={focus}
        onKeyDown={onKeyDown}
        onBlur={blur}
      />
      {picker.isOpen && (
        <ValuePicker
          id={listId}
          label={label}
          options={typed.options}
          active={picker.active}
          toggle={typed.toggle}
        />
      )}
    </>
  );
}

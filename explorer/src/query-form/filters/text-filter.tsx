/** One filter: chips of its values, and an input whose text applies on Enter or when it loses the focus. */

import { useEffect, useId, useRef, useState } from 'react';
import { useLocalization } from '../../layout/localization-context.tsx';
import { fieldOf, filterLabel, hintFor, isExclusion } from '../../query/filters.ts';
import { useAfterPress } from '../use-after-press.ts';
import { shownText } from '../values/normalize-input.ts';
import { useTypedValues } from '../values/use-typed-values.ts';
import { NegateButton, RemoveButton } from './filter-buttons.tsx';
import { FilterInput } from './filter-input.tsx';
import { usePicker } from './use-picker.ts';
import { ValueChips } from './value-chips.tsx';

interface TextFilterProps {
  readonly name: string;
  readonly value: string;
  set(text: string): void;
  /** Turns a selection into an exclusion, and the other way round. */
  negate(): void;
  /** Undefined if there is nothing to remove. */
  readonly remove: (() => void) | undefined;
}

export function TextFilter({ name, value, set, negate, remove }: TextFilterProps) {
  const { texts } = useLocalization();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isFocused, setFocused] = useState(false);
  const typed = useTypedValues(name, value, isFocused, set);
  const picker = usePicker(typed.options, typed.toggle);
  const afterPress = useAfterPress(typed.commit);
  const label = filterLabel(fieldOf(name), texts);
  useEffect(() => {
    if (typed.edited !== undefined) input.current?.select();
  }, [typed.edited]);
  return (
    <form
      className={value === '' ? 'text-filter' : 'text-filter applied'}
      onSubmit={(event) => {
        event.preventDefault();
        picker.close();
        typed.commit();
      }}
    >
      <label htmlFor={id} className="label">
        {label}
        {isExclusion(name) && <span className="hidden"> {texts.filter.isNot}</span>}
      </label>
      {value !== '' && <NegateButton label={label} isNegated={isExclusion(name)} negate={negate} />}
      <span className="filter-values">
        <ValueChips
          chips={typed.chips}
          isOnlyChip={typed.chips.length === 1}
          edit={(one) => {
            input.current?.focus();
            typed.edit(one);
            picker.open();
          }}
          remove={(one) => {
            typed.remove(one);
            input.current?.focus();
          }}
        />
        <FilterInput
          ref={input}
          id={id}
          name={name}
          label={label}
          typed={typed}
          picker={picker}
          focus={() => setFocused(true)}
          blur={() => {
            setFocused(false);
            picker.close();
            afterPress.schedule();
          }}
        />
      </span>
      <RemoveButton
        label={filterLabel(name, texts)}
        isOff={remove === undefined}
        remove={() => {
          afterPress.cancel();
          typed.stopEditing();
          remove?.();
        }}
      />
      <span id={`${id}-fault`} className="fault" aria-live="polite">
        {typed.isInvalid && hintFor(name, texts)}
        {/* The invalid text changes nothing: the values still apply. */}
        {typed.isInvalid && value !== '' && ` ${texts.ask.stillActive(shownText(name, value))}`}
      </span>
    </form>
  );
}

/** Input and picker of one filter: typed values apply on Enter or when the input loses the focus. */

import { useId, useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import {
  fieldLabel,
  fieldOf,
  hintFor,
  isExclusion,
  isValid,
  textOf,
  valuesOf,
} from '../query/filters.ts';
import { useAfterPress } from './use-after-press.ts';
import { useDraft } from './use-draft.ts';
import { usePicker } from './use-picker.ts';
import { optionId, ValuePicker } from './value-picker.tsx';
import { namesOfValues } from './values/named-values.ts';
import { itemsIn, normalizeInput, shownText } from './values/normalize-input.ts';
import { type PickerOption, pickerOptions } from './values/picker-options.ts';
import { useNamedValues } from './values/use-named-values.ts';

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
  const { text, named, isInvalid, type, commit, put } = useTypedValues(name, value, set);
  const item = text === shownText(name, value) ? '' : (itemsIn(name, text).at(-1) ?? '').trim();
  const { formats } = useLocalization();
  const options = pickerOptions(name, value, item, named, formats);
  const toggle = ({ value: one, isChosen }: PickerOption) => {
    const chosen = valuesOf(name, value);
    put(textOf(name, isChosen ? chosen.filter((other) => other !== one) : [...chosen, one]));
  };
  const picker = usePicker(options, toggle);
  const afterPress = useAfterPress(commit);
  const names = namesOfValues(value, named).join(', ');
  const label = fieldLabel(fieldOf(name), texts);
  return (
    <form
      className={value === '' ? 'text-filter' : 'text-filter applied'}
      onSubmit={(event) => {
        event.preventDefault();
        picker.close();
        commit();
      }}
    >
      <label htmlFor={id} className="label">
        {label}
        {isExclusion(name) && <span className="hidden"> {texts.filter.isNot}</span>}
      </label>
      {value !== '' && <NegateButton label={label} isNegated={isExclusion(name)} negate={negate} />}
      <input
        id={id}
        data-control={name}
        role="combobox"
        value={text}
        placeholder={texts.account.all}
        autoComplete="off"
        aria-expanded={picker.isOpen}
        aria-controls={`${id}-values`}
        aria-autocomplete="list"
        aria-activedescendant={
          picker.active === undefined ? undefined : optionId(`${id}-values`, picker.active)
        }
        aria-invalid={isInvalid}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => {
          type(target.value);
          picker.open();
        }}
        onClick={picker.open}
        onKeyDown={picker.press}
        onBlur={() => {
          picker.close();
          afterPress.schedule();
        }}
      />
      {picker.isOpen && (
        <ValuePicker
          id={`${id}-values`}
          label={label}
          options={options}
          active={picker.active}
          toggle={toggle}
        />
      )}
      {names !== '' && (
        <span className="filter-names soft small" title={names}>
          {names}
        </span>
      )}
      <RemoveButton
        label={fieldLabel(name, texts)}
        isOff={remove === undefined}
        remove={() => {
          afterPress.cancel();
          type('');
          remove?.();
        }}
      />
      <span id={`${id}-fault`} className="fault" aria-live="polite">
        {isInvalid && hintFor(name, texts)}
        {/* The text replaces the applied value, which still applies. */}
        {isInvalid && value !== '' && ` ${texts.ask.stillActive(shownText(name, value))}`}
      </span>
    </form>
  );
}

/** The typed text, which is not applied before it is committed. */
function useTypedValues(name: string, value: string, set: (text: string) => void) {
  const { formats } = useLocalization();
  const shown = shownText(name, value);
  const [text, setText] = useDraft(shown, shown);
  const [isTyping, setTyping] = useState(false);
  const named = useNamedValues(fieldOf(name), itemsIn(name, text).at(-1) ?? '');
  const known = named.map((one) => one.value);
  const normalized = text === '' ? '' : normalizeInput(name, { text, formats, known, named });
  const put = (next: string) => {
    setTyping(false);
    setText(shownText(name, next));
    if (next !== value) set(next);
  };
  return {
    text,
    named,
    isInvalid: !isTyping && text !== '' && !isValid(name, normalized),
    put,
    commit: () => {
      setTyping(false);
      // The shown text of a value may be read as another value, such as one with a bar.
      if (text === shown) return;
      if (normalized === '' || isValid(name, normalized)) put(normalized);
    },
    type: (typed: string) => {
      setText(typed);
      setTyping(typed !== '');
    },
  };
}

interface NegateButtonProps {
  readonly label: string;
  readonly isNegated: boolean;
  negate(): void;
}

/** "is" or "is not": a press switches it. */
function NegateButton({ label, isNegated, negate }: NegateButtonProps) {
  const { texts } = useLocalization();
  return (
    <button type="button" className="quiet negate" onClick={negate}>
      <span className="hidden">{label} </span>
      {isNegated ? texts.filter.isNot : texts.filter.is}
    </button>
  );
}

interface RemoveButtonProps {
  readonly label: string;
  readonly isOff: boolean;
  remove(): void;
}

const INVISIBLE = { visibility: 'hidden' } as const;

/** Invisible rather than absent, so that the layout does not move. */
function RemoveButton({ label, isOff, remove }: RemoveButtonProps) {
  const { texts } = useLocalization();
  return (
    <button
      type="button"
      className="quiet icon"
      style={isOff ? INVISIBLE : undefined}
      aria-label={texts.ask.remove(label)}
      onClick={remove}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M4 4l8 8M12 4l-8 8" />
      </svg>
    </button>
  );
}

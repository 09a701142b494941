/** Text input of one filter, applied on Enter or when it loses the focus. */

import { useId, useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel, hintFor, isValid } from '../query/filters.ts';
import { Suggestions } from './suggestions.tsx';
import { useAfterPress } from './use-after-press.ts';
import { useDraft } from './use-draft.ts';
import { namesOfValues } from './values/named-values.ts';
import { normalizeInput } from './values/normalize-input.ts';
import { useNamedValues } from './values/use-named-values.ts';

interface TextFilterProps {
  readonly name: string;
  readonly value: string;
  set(text: string): void;
  /** Undefined if there is nothing to remove. */
  readonly remove: (() => void) | undefined;
}

export function TextFilter({ name, value, set, remove }: TextFilterProps) {
  const { texts, formats } = useLocalization();
  const id = useId();
  const [text, setText] = useDraft(value, value);
  const [isTyping, setTyping] = useState(false);
  const named = useNamedValues(name, text);
  const known = named.map((one) => one.value);
  const normalized = normalizeInput(name, { text, formats, known, named });
  const names = namesOfValues(value, named).join(', ');
  const isInvalid = !isTyping && text !== '' && !isValid(name, normalized);
  const commit = () => {
    setTyping(false);
    if (normalized !== '' && !isValid(name, normalized)) return;
    setText(normalized);
    if (normalized !== value) set(normalized);
  };
  const afterPress = useAfterPress(commit);
  const label = fieldLabel(name, texts);
  return (
    <form
      className={value === '' ? 'text-filter' : 'text-filter applied'}
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <label htmlFor={id} className="label">
        {label}
      </label>
      <input
        id={id}
        data-control={name}
        value={text}
        placeholder={texts.account.all}
        autoComplete="off"
        list={`${id}-known`}
        aria-invalid={isInvalid}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => {
          setText(target.value);
          setTyping(true);
        }}
        onBlur={afterPress.schedule}
      />
      <Suggestions id={`${id}-known`} name={name} text={text} known={named} />
      {names !== '' && (
        <span className="filter-names soft small" title={names}>
          {names}
        </span>
      )}
      <RemoveButton
        label={label}
        isOff={remove === undefined}
        remove={() => {
          afterPress.cancel();
          setText('');
          setTyping(false);
          remove?.();
        }}
      />
      <span id={`${id}-fault`} className="fault" aria-live="polite">
        {isInvalid && hintFor(name, texts)}
        {/* The text replaces the applied value, which still applies. */}
        {isInvalid && value !== '' && ` ${texts.ask.stillActive(value)}`}
      </span>
    </form>
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

/** One filter that is written: it counts when the reader leaves it or presses Enter. */

import { useEffect, useId, useRef, useState } from 'react';
import { useAsker } from '../asker.tsx';
import { isGood, nameOf, ruleOf } from '../filters.ts';
import { useReader } from '../reader.tsx';

interface TextFilterProps {
  readonly name: string;
  readonly value: string;
  /** Whether the reader has just asked for it. */
  readonly isOpened: boolean;
  set(text: string): void;
}

export function TextFilter({ name, value, isOpened, set }: TextFilterProps) {
  const { texts } = useReader();
  const { service } = useAsker();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  useEffect(() => {
    // Whoever asks for a filter wants to write it.
    if (isOpened) input.current?.focus();
  }, [isOpened]);
  const fault = text === '' || isGood(name, text) ? undefined : ruleOf(name, texts);
  const commit = () => {
    if (text !== value && fault === undefined) set(text);
  };
  const { publisher_ids: websites } = service.me;
  const known = name === 'publisher_id' && websites !== 'all' ? websites : [];
  const label = nameOf(name, texts);
  return (
    <form
      className="text-filter"
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
        ref={input}
        value={text}
        placeholder={texts.account.all}
        list={known.length > 0 ? `${id}-known` : undefined}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-fault`}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
      />
      {value !== '' && (
        <button
          type="button"
          className="quiet icon"
          aria-label={texts.ask.remove(label)}
          onClick={() => set('')}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M4 4l8 8M12 4l-8 8" />
          </svg>
        </button>
      )}
      {known.length > 0 && (
        <datalist id={`${id}-known`}>
          {known.map((website) => (
            <option key={website} value={website} />
          ))}
        </datalist>
      )}
      <span id={`${id}-fault`} className="fault" aria-live="polite">
        {fault}
      </span>
    </form>
  );
}

/** One filter that is written: it counts when the reader leaves it or presses Enter. */

import { useId, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { isGood, nameOf, ruleOf } from '../query/filters.ts';
import { normalizeInput } from './normalize-input.ts';
import { Suggestions } from './suggestions.tsx';
import { useAfterPress } from './use-after-press.ts';
import { useDraft } from './use-draft.ts';
import { useSeenValues } from './use-seen-values.ts';

interface TextFilterProps {
  readonly name: string;
  readonly value: string;
  set(text: string): void;
  /** Where there is something to remove. */
  readonly remove: (() => void) | undefined;
}

export function TextFilter({ name, value, set, remove }: TextFilterProps) {
  const { texts, formats } = useReader();
  const id = useId();
  const known = useKnownTo(name);
  const [text, setText] = useDraft(value, value);
  const [isWriting, setWriting] = useState(false);
  const meant = normalizeInput(name, { text, formats, known });
  const isWrong = !isWriting && text !== '' && !isGood(name, meant);
  const commit = () => {
    setWriting(false);
    if (meant !== '' && !isGood(name, meant)) return;
    setText(meant);
    if (meant !== value) set(meant);
  };
  const left = useAfterPress(commit);
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
        data-control={name}
        value={text}
        placeholder={texts.account.all}
        autoComplete="off"
        list={`${id}-known`}
        aria-invalid={isWrong}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => {
          setText(target.value);
          setWriting(true);
        }}
        onBlur={left.soon}
      />
      <Suggestions id={`${id}-known`} name={name} text={text} known={known} />
      <RemoveButton
        label={label}
        isOff={remove === undefined}
        remove={() => {
          left.never();
          setText('');
          setWriting(false);
          remove?.();
        }}
      />
      <span id={`${id}-fault`} className="fault" aria-live="polite">
        {isWrong && ruleOf(name, texts)}
      </span>
    </form>
  );
}

/** The reader's own websites first: of these it is known without any answer. */
function useKnownTo(name: string): readonly string[] {
  const { publisher_ids: websites } = useAccess().service.me;
  const seen = useSeenValues(name);
  if (name !== 'publisher_id' || websites === 'all') return seen;
  return [...new Set([...websites.map(String), ...seen])];
}

interface RemoveButtonProps {
  readonly label: string;
  readonly isOff: boolean;
  remove(): void;
}

const UNSEEN = { visibility: 'hidden' } as const;

/** Its room is kept where there is nothing to remove, so that nothing moves. */
function RemoveButton({ label, isOff, remove }: RemoveButtonProps) {
  const { texts } = useReader();
  return (
    <button
      type="button"
      className="quiet icon"
      style={isOff ? UNSEEN : undefined}
      aria-label={texts.ask.remove(label)}
      onClick={remove}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M4 4l8 8M12 4l-8 8" />
      </svg>
    </button>
  );
}

/** What the browser offers while a filter is written: after a comma, what may follow. */

import { useReader } from '../layout/reader-context.tsx';
import { isList } from '../query/filters.ts';
import { CALLED } from './normalize-input.ts';

interface SuggestionsProps {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly known: readonly string[];
}

export function Suggestions({ id, name, text, known }: SuggestionsProps) {
  const { formats } = useReader();
  const before = isList(name) ? text.slice(0, text.lastIndexOf(',') + 1) : '';
  const given = before.split(',');
  return (
    <datalist id={id}>
      {known
        .filter((value) => !given.includes(value))
        .map((value) => (
          <option key={value} value={before + value} label={CALLED[name]?.(value, formats)} />
        ))}
    </datalist>
  );
}

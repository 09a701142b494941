/** Which of a transaction's dates the period is about. */

import { DATE_FIELDS } from '../../../src/contract/query/parameters.ts';
import { useAsker } from '../asker.tsx';
import { nameOf } from '../filters.ts';
import { useReader } from '../reader.tsx';
import type { Texts } from '../texts/texts.ts';
import { FIRST_VIEW } from '../view.ts';

export function DateChoice() {
  const { texts } = useReader();
  const { view, change } = useAsker();
  return (
    <label className="inline">
      <span className="label">{texts.ask.dateField}</span>
      <select
        value={view.dateField}
        onChange={({ target }) =>
          change({
            dateField: DATE_FIELDS.find((name) => name === target.value) ?? FIRST_VIEW.dateField,
          })
        }
      >
        {DATE_FIELDS.map((name) => (
          <option key={name} value={name}>
            {inTheLabel(name, texts)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** As it goes on after the label. */
function inTheLabel(name: string, texts: Texts): string {
  const known: Readonly<Record<string, string>> = texts.ask.dates;
  return known[name] ?? nameOf(name, texts);
}

/** Which of a transaction's dates the period is about. */

import { DATE_FIELDS } from '../../../src/contract/query/parameters.ts';
import { useAccess } from '../access/access-context.tsx';
import { useReader } from '../layout/reader-context.tsx';
import { nameOf } from '../query/filters.ts';
import { FIRST_VIEW } from '../query/view.ts';
import type { Texts } from '../texts/texts.ts';

export function DateFieldChoice() {
  const { texts } = useReader();
  const { view, change } = useAccess();
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

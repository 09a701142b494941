/** Select for the date field that the period applies to. */

import { DATE_FIELDS } from '../../../src/contract/query/parameters.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import { DEFAULT_VIEW } from '../query/view.ts';
import type { Texts } from '../texts/texts.ts';

export function DateFieldChoice() {
  const { texts } = useLocalization();
  const { view, change } = useExplorer();
  return (
    <label className="inline">
      <span className="label">{texts.ask.dateField}</span>
      <select
        value={view.dateField}
        onChange={({ target }) =>
          change({
            dateField: DATE_FIELDS.find((name) => name === target.value) ?? DEFAULT_VIEW.dateField,
          })
        }
      >
        {DATE_FIELDS.map((name) => (
          <option key={name} value={name}>
            {dateFieldLabel(name, texts)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The text of an option, such as `creation`. The label of the select already says `Date used`. */
function dateFieldLabel(name: string, texts: Texts): string {
  const known: Readonly<Record<string, string>> = texts.ask.dates;
  return known[name] ?? fieldLabel(name, texts);
}

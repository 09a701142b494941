/** The question: which kind, which days, which of the transactions. */

import { KINDS } from '../../../src/contract/kinds.ts';
import { DATE_FIELDS } from '../../../src/contract/parameters.ts';
import { useAsker } from '../asker.tsx';
import { nameOf } from '../filters.ts';
import { useReader } from '../reader.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PeriodChoice } from './period-choice.tsx';

export function AskBar() {
  const { texts } = useReader();
  return (
    <search className="ask card" aria-label={texts.ask.label}>
      <div className="ask-row">
        <KindChoice />
        <PeriodChoice />
      </div>
      <div className="ask-row">
        <FilterBar />
        <DateChoice />
      </div>
    </search>
  );
}

function KindChoice() {
  const { texts } = useReader();
  const { view, change } = useAsker();
  return (
    <fieldset className="segments">
      <legend className="hidden">{texts.ask.kind}</legend>
      {KINDS.map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name="kind"
            checked={view.kind === kind}
            onChange={() => change({ kind, measure: undefined })}
          />
          <span>{texts.kinds[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function DateChoice() {
  const { texts } = useReader();
  const { view, change } = useAsker();
  return (
    <label className="inline last">
      <span className="label">{texts.ask.dateField}</span>
      <select
        value={view.dateField}
        onChange={(event) =>
          change({
            dateField: DATE_FIELDS.find((name) => name === event.target.value) ?? 'created_at',
          })
        }
      >
        {DATE_FIELDS.map((name) => (
          <option key={name} value={name}>
            {nameOf(name, texts)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Query form: kind, period, date field and filters. */

import { useRef } from 'react';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PeriodChoice } from './period-choice.tsx';
import { UnknownAddressNotice } from './unknown-address-notice.tsx';

export function QueryForm() {
  const { texts } = useLocalization();
  const bar = useRef<HTMLElement>(null);
  return (
    <search ref={bar} className="ask card" aria-label={texts.ask.label}>
      <UnknownAddressNotice
        focusNext={() => bar.current?.querySelector<HTMLElement>(':checked')?.focus()}
      />
      <div className="ask-row">
        <KindChoice />
        <PeriodChoice />
      </div>
      <div className="ask-row">
        <FilterBar />
      </div>
    </search>
  );
}

function KindChoice() {
  const { texts } = useLocalization();
  const { view, change } = useAccess();
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

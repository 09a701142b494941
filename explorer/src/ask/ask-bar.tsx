/** The question: which kind, which days, which of the transactions. */

import { useRef } from 'react';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import { useAsker } from '../asker.tsx';
import { useReader } from '../reader.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PeriodChoice } from './period-choice.tsx';
import { UnreadNotice } from './unread-notice.tsx';

export function AskBar() {
  const { texts } = useReader();
  const bar = useRef<HTMLElement>(null);
  return (
    <search ref={bar} className="ask card" aria-label={texts.ask.label}>
      <UnreadNotice next={() => bar.current?.querySelector<HTMLElement>(':checked')?.focus()} />
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

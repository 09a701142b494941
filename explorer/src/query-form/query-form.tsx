/** Query form: period, comparison, date field and filters. */

import { useRef } from 'react';
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
        focusNext={() => bar.current?.querySelector<HTMLElement>('select')?.focus()}
      />
      <div className="ask-row">
        <PeriodChoice />
      </div>
      <div className="ask-row">
        <FilterBar />
      </div>
    </search>
  );
}

/** Query form: period, comparison, date field and filters. */

import { useId, useRef, useState } from 'react';
import { useAccess } from '../access/access-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { ViewsButton } from '../views/views-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { PeriodChoice } from './period-choice.tsx';
import { UnknownAddressNotice } from './unknown-address-notice.tsx';

export function QueryForm() {
  const { texts } = useLocalization();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const bar = useRef<HTMLElement>(null);
  return (
    <search ref={bar} className="ask card" aria-label={texts.ask.label}>
      <UnknownAddressNotice
        focusNext={() => bar.current?.querySelector<HTMLElement>('.period-button')?.focus()}
      />
      <div className="ask-row">
        <PeriodChoice />
        <FilterToggle isOpen={isOpen} controls={id} toggle={() => setOpen(!isOpen)} />
        <ViewsButton />
      </div>
      <div id={id} className="ask-row ask-more">
        <FilterBar />
      </div>
    </search>
  );
}

interface FilterToggleProps {
  readonly isOpen: boolean;
  /** The id of the filters. */
  readonly controls: string;
  toggle(): void;
}

/** On phones the filters are closed at first, so that the figures are on the first screen. */
function FilterToggle({ isOpen, controls, toggle }: FilterToggleProps) {
  const { texts, formats } = useLocalization();
  const count = Object.keys(useAccess().view.filters).length;
  return (
    <button
      type="button"
      className="filter-toggle"
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={toggle}
    >
      {count === 0 ? texts.ask.filters : texts.ask.filtersWith(formats.count(count))}
    </button>
  );
}

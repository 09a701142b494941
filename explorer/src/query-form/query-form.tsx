/** Query form: the period with its comparison, the saved views, and the filters, which are in a sheet on phones. */

import { useRef } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { ViewsButton } from '../views/views-button.tsx';
import { FilterSheet } from './filter-sheet.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { IgnoredPartsNotice } from './ignored-parts-notice.tsx';
import { PeriodChoice } from './period-choice.tsx';

export function QueryForm() {
  const { texts } = useLocalization();
  const isNarrow = useNarrow();
  const bar = useRef<HTMLElement>(null);
  return (
    <search ref={bar} className="ask card" aria-label={texts.ask.label}>
      <IgnoredPartsNotice
        focusNext={() => bar.current?.querySelector<HTMLElement>('.period-button')?.focus()}
      />
      <div className="ask-row">
        <PeriodChoice />
        {isNarrow && <FilterSheet />}
        <ViewsButton />
      </div>
      {!isNarrow && (
        <div className="ask-row">
          <FilterBar />
        </div>
      )}
    </search>
  );
}

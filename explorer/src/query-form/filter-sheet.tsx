/** On phones: button with the number of filters, which opens a sheet with the filters. */

import { useState } from 'react';
import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { closeAfterPress } from '../ui/close-after-press.ts';
import { Sheet } from '../ui/sheet.tsx';
import { DateFieldChoice } from './date-field-choice.tsx';
import { FilterBar } from './filters/filter-bar.tsx';

export function FilterSheet() {
  const { texts, formats } = useLocalization();
  const [isOpen, setOpen] = useState(false);
  const count = Object.keys(useExplorer().view.filters).length;
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {count === 0 ? texts.ask.filters : texts.ask.filtersWith(formats.count(count))}
      </button>
      {isOpen && (
        <Sheet title={texts.ask.filters} close={close}>
          <DateFieldChoice />
          <FilterBar />
          <button type="button" className="primary wide" onClick={() => closeAfterPress(close)}>
            {texts.ask.results}
          </button>
        </Sheet>
      )}
    </>
  );
}

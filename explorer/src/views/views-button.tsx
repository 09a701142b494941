/** Button with the name of the saved view that the address shows; opens the sheet of saved views. */

import { Suspense, useState } from 'react';
import { useExplorer } from '../access/explorer-context.tsx';
import { lazySheet } from '../layout/lazy-sheet.ts';
import { useLocalization } from '../layout/localization-context.tsx';
import { locationSearchOf, type View } from '../query/view.ts';
import { useSavedViews } from './use-saved-views.ts';

/** Loaded when it is opened. */
const ViewsSheet = lazySheet(async () => (await import('./views-sheet.tsx')).ViewsSheet);

export function ViewsButton() {
  const { texts } = useLocalization();
  const { view } = useExplorer();
  const [views] = useSavedViews();
  const [isOpen, setOpen] = useState(false);
  const search = searchOfView(view);
  const current = views.find((saved) => saved.search === search);
  return (
    <>
      <button type="button" className="views-button" onClick={() => setOpen(true)}>
        {current === undefined ? texts.views.open : texts.views.opened(current.name)}
      </button>
      {isOpen && (
        <Suspense>
          <ViewsSheet search={search} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The query string that is saved: without the opened transaction and the full table. */
const searchOfView = (view: View): string =>
  locationSearchOf({ ...view, row: undefined, isFull: false });

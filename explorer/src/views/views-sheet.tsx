/** Sheet of saved views: save the present one, open, rename, delete, and choose the default. */

import { useId, useState } from 'react';
import { useExplorer } from '../access/explorer-context.tsx';
import { storedToken } from '../access/token-storage.ts';
import { useLocalization } from '../layout/localization-context.tsx';
import { readView } from '../query/view.ts';
import { Sheet } from '../ui/sheet.tsx';
import { MAX_NAME_LENGTH, type SavedViews, viewName, withView } from './saved-views.ts';
import { useSavedViews } from './use-saved-views.ts';
import { ViewItem } from './view-item.tsx';

interface ViewsSheetProps {
  /** The query string of the present view. */
  readonly search: string;
  close(): void;
}

export function ViewsSheet({ search, close }: ViewsSheetProps) {
  const { texts } = useLocalization();
  const { change } = useExplorer();
  const [views, save] = useSavedViews();
  return (
    <Sheet title={texts.views.title} close={close}>
      <p className="soft">{texts.views.intro}</p>
      {storedToken()?.isKept !== true && <p className="soft small">{texts.views.temporary}</p>}
      <SaveForm views={views} save={(name) => save(withView(views, name, search))} />
      {views.length === 0 && <p className="empty">{texts.views.none}</p>}
      <ul className="view-list">
        {views.map((view) => (
          <ViewItem
            key={view.name}
            view={view}
            views={views}
            isCurrent={view.search === search}
            save={save}
            open={() => {
              close();
              change({ ...readView(view.search), row: undefined });
            }}
          />
        ))}
      </ul>
    </Sheet>
  );
}

interface SaveFormProps {
  readonly views: SavedViews;
  save(name: string): void;
}

function SaveForm({ views, save }: SaveFormProps) {
  const { texts } = useLocalization();
  const id = useId();
  const [typed, setTyped] = useState('');
  const name = viewName(typed);
  const isTaken = views.some((view) => view.name === name);
  return (
    <form
      className="view-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name === '') return;
        save(name);
        setTyped('');
      }}
    >
      <label htmlFor={id} className="label">
        {texts.views.name}
      </label>
      <input
        id={id}
        value={typed}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" className="primary" aria-disabled={name === ''}>
        {texts.views.save}
      </button>
      <span id={`${id}-hint`} className="soft small" aria-live="polite">
        {isTaken && texts.views.replaces}
      </span>
    </form>
  );
}

/** Sheet of saved views: save the present one, open, rename, delete, and choose the default. */

import { useId, useState } from 'react';
import { useExplorer } from '../access/explorer-context.tsx';
import { storedToken } from '../access/token-storage.ts';
import { useLocalization } from '../layout/localization-context.tsx';
import { readView } from '../query/view.ts';
import { Sheet } from '../ui/sheet.tsx';
import {
  hasRoom,
  MAX_NAME_LENGTH,
  MAX_VIEWS,
  type SavedViews,
  viewName,
  withView,
} from './saved-views.ts';
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
  /** Returns false if the view cannot be stored. */
  save(name: string): boolean;
}

function SaveForm({ views, save }: SaveFormProps) {
  const { texts } = useLocalization();
  const id = useId();
  const [typed, setTyped] = useState('');
  const name = viewName(typed);
  const [isUnstored, setUnstored] = useState(false);
  const isTaken = views.some((view) => view.name === name);
  const isFull = name !== '' && !hasRoom(views, name);
  return (
    <form
      className="view-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name === '' || isFull) return;
        const isStored = save(name);
        setUnstored(!isStored);
        // The name stays, so that it can be saved later.
        if (isStored) setTyped('');
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
        aria-invalid={isFull || isUnstored}
        aria-describedby={`${id}-fault ${id}-hint`}
        onChange={({ target }) => {
          setTyped(target.value);
          setUnstored(false);
        }}
      />
      <button type="submit" className="primary" aria-disabled={name === '' || isFull}>
        {texts.views.save}
      </button>
      <span id={`${id}-fault`} className="fault" aria-live="polite">
        {isFull && texts.views.full(MAX_VIEWS)}
        {isUnstored && !isFull && texts.views.unstored}
      </span>
      <span id={`${id}-hint`} className="soft small" aria-live="polite">
        {isTaken && texts.views.replaces}
      </span>
    </form>
  );
}

/** One saved view: opens it, renames it, makes it the default or deletes it. */

import { useEffect, useId, useRef, useState } from 'react';
import { useLocalization } from '../layout/localization-context.tsx';
import {
  MAX_NAME_LENGTH,
  type SavedView,
  type SavedViews,
  toggledDefault,
  viewName,
  withoutView,
  withRenamedView,
} from './saved-views.ts';

interface ViewItemProps {
  readonly view: SavedView;
  readonly views: SavedViews;
  readonly isCurrent: boolean;
  save(views: SavedViews): void;
  open(): void;
}

export function ViewItem({ view, views, isCurrent, save, open }: ViewItemProps) {
  const { texts } = useLocalization();
  const [isRenaming, setRenaming] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const { name, isDefault } = view;
  // Moves the focus, because the focused element disappears.
  const change = (next: SavedViews) => {
    item.current?.closest('dialog')?.querySelector('input')?.focus();
    save(next);
  };
  if (isRenaming) {
    return (
      <li ref={item}>
        <RenameForm
          view={view}
          views={views}
          rename={(to) => {
            setRenaming(false);
            change(withRenamedView(views, name, to));
          }}
        />
      </li>
    );
  }
  return (
    <li ref={item}>
      <button type="button" className="quiet view-name" aria-current={isCurrent} onClick={open}>
        {name}
        {isCurrent && <span className="badge">{texts.views.current}</span>}
      </button>
      <button
        type="button"
        className="quiet small"
        aria-pressed={isDefault}
        aria-label={texts.views.makeDefault(name)}
        onClick={() => save(toggledDefault(views, name))}
      >
        {texts.views.byDefault}
      </button>
      <IconButton label={texts.views.rename(name)} path={PENCIL} press={() => setRenaming(true)} />
      <IconButton
        label={texts.views.remove(name)}
        path={CROSS}
        press={() => change(withoutView(views, name))}
      />
    </li>
  );
}

const PENCIL = 'M3 13l.6-2.8L10.9 3l2.1 2.1l-7.2 7.3zM9.6 4.3l2.1 2.1';
const CROSS = 'M4 4l8 8M12 4l-8 8';

interface IconButtonProps {
  readonly label: string;
  /** The path of an SVG of 16 by 16. */
  readonly path: string;
  press(): void;
}

const IconButton = ({ label, path, press }: IconButtonProps) => (
  <button type="button" className="quiet icon" aria-label={label} title={label} onClick={press}>
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={path} />
    </svg>
  </button>
);

interface RenameFormProps {
  readonly view: SavedView;
  readonly views: SavedViews;
  rename(name: string): void;
}

function RenameForm({ view, views, rename }: RenameFormProps) {
  const { texts } = useLocalization();
  const id = useId();
  const [typed, setTyped] = useState(view.name);
  const name = viewName(typed);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const isTaken = name !== view.name && views.some((other) => other.name === name);
  return (
    <form
      className="view-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '' && !isTaken) rename(name);
      }}
    >
      <input
        ref={input}
        value={typed}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        aria-label={texts.views.newName(view.name)}
        aria-invalid={isTaken}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => setTyped(target.value)}
      />
      <button type="submit" aria-disabled={name === '' || isTaken}>
        {texts.views.done}
      </button>
      <span id={`${id}-fault`} className="fault" aria-live="polite">
        {isTaken && texts.views.taken}
      </span>
    </form>
  );
}

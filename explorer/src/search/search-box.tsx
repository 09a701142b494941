/** Search box of the top bar: finds identifiers and names, and opens what was found. */

import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useExplorer } from '../access/explorer-context.tsx';
import { actionOf } from '../keys/keys.ts';
import { useLocalization } from '../layout/localization-context.tsx';
import { focusList } from '../service/retry-requests.ts';
import { changeFor, type Hit } from './hits.ts';
import { searchText } from './lookups.ts';
import { SearchResults } from './search-results.tsx';
import { useSearch } from './use-search.ts';

const BOX = 'search-box';

export const focusSearch = (): void => document.getElementById(BOX)?.focus();

export function SearchBox() {
  const { texts } = useLocalization();
  const { view, change } = useExplorer();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const text = searchText(typed);
  const result = useSearch(text);
  const { hits, isSearching } = result;
  const isShown = isOpen && text !== '';
  const choose = (hit: Hit) => {
    setTyped('');
    setOpen(false);
    if (hit.lookup !== 'transaction_id') focusList();
    change(changeFor(hit, view));
  };
  const enterSoon = useEnterSoon(!isSearching, () => {
    if (hits[0] !== undefined) choose(hits[0]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actionOf('search', event);
    if (action === undefined) return;
    event.preventDefault();
    const chosen = hits[active];
    if (action === 'close') enterSoon.cancel();
    if (action === 'open' && chosen !== undefined) choose(chosen);
    else if (action === 'open' && isSearching) enterSoon.start();
    else if (action === 'close' && isShown) setOpen(false);
    else if (action === 'close') setTyped('');
    else if (action === 'next') setActive(Math.max(0, Math.min(hits.length - 1, active + 1)));
    else if (action === 'previous') setActive(Math.max(0, active - 1));
  };
  const optionId = (at: number) => `${id}-${at}`;
  return (
    <div className="search-box">
      <input
        id={BOX}
        type="search"
        role="combobox"
        aria-label={texts.search.label}
        aria-expanded={isShown}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isShown && hits.length > 0 ? optionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={texts.search.placeholder}
        value={typed}
        onChange={({ target }) => {
          enterSoon.cancel();
          setTyped(target.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => {
          enterSoon.cancel();
          setOpen(false);
        }}
        onKeyDown={onKeyDown}
      />
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.5 10.5l3 3" />
      </svg>
      <kbd>/</kbd>
      <SearchResults
        id={id}
        text={text}
        result={result}
        isShown={isShown}
        active={active}
        optionId={optionId}
        choose={choose}
      />
    </div>
  );
}

/** If Enter is pressed before the results arrive, opens the first result as soon as the search ends. */
function useEnterSoon(isReady: boolean, enter: () => void) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isDue || !isReady) return;
    setDue(false);
    enter();
  });
  return { start: () => setDue(true), cancel: () => setDue(false) };
}

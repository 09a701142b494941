/** Results of the search box, grouped by what matched. */

import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { fieldLabel } from '../query/filters.ts';
import { errorMessageOf } from '../service/error-messages.ts';
import { StatusIcon } from '../ui/status-icon.tsx';
import { type Hit, keyOfHit } from './hits.ts';
import { LOOKUPS, type Lookup, valueLookups } from './lookups.ts';
import type { SearchResult } from './use-search.ts';

interface SearchResultsProps {
  /** The id of the listbox element. */
  readonly id: string;
  readonly text: string;
  readonly result: SearchResult;
  readonly isShown: boolean;
  /** The position of the active result. */
  readonly active: number;
  optionId(at: number): string;
  choose(hit: Hit): void;
}

export function SearchResults({ id, text, result, isShown, ...others }: SearchResultsProps) {
  const { texts, formats } = useLocalization();
  const { hits, isSearching, error } = result;
  const state = isSearching
    ? texts.search.searching
    : texts.search.found(hits.length, formats.count(hits.length));
  return (
    <div className={isShown ? 'search-results' : 'search-results hidden'}>
      <p className={hits.length > 0 ? 'hidden' : 'search-state'} role="status">
        {isShown && state}
      </p>
      {isShown && !isSearching && hits.length === 0 && error === null && (
        <NothingFound text={text} />
      )}
      {isShown && error !== null && (
        <p className="search-state fault">{errorMessageOf(error, texts).what}</p>
      )}
      <div
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={texts.search.results}
        // The input keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
      >
        {isShown &&
          LOOKUPS.map((lookup) => (
            <HitGroup
              key={lookup}
              lookup={lookup}
              hits={hits}
              groupId={`${id}-${lookup}`}
              {...others}
            />
          ))}
      </div>
    </div>
  );
}

/** Tells which fields were searched, and in which period. */
function NothingFound({ text }: { readonly text: string }) {
  const { texts, formats } = useLocalization();
  const { service, view, days } = useExplorer();
  const date = texts.ask.dates[view.dateField];
  const ids = valueLookups(service.role).map((lookup) => fieldLabel(lookup, texts));
  return (
    <div className="search-state">
      <p>
        <strong>{texts.search.nothing(text)}</strong>
      </p>
      <p className="soft small">
        {texts.search.searched(ids.join(', '), formats.period(days.start, days.end), date)}
      </p>
    </div>
  );
}

interface HitGroupProps extends Pick<SearchResultsProps, 'active' | 'optionId' | 'choose'> {
  readonly lookup: Lookup;
  /** The hits of all lookups. */
  readonly hits: readonly Hit[];
  readonly groupId: string;
}

function HitGroup({ lookup, hits, groupId, active, optionId, choose }: HitGroupProps) {
  const { texts } = useLocalization();
  if (!hits.some((hit) => hit.lookup === lookup)) return null;
  return (
    <fieldset aria-labelledby={groupId}>
      <p id={groupId} className="soft small search-group">
        {fieldLabel(lookup, texts)}
      </p>
      {hits.map((hit, at) =>
        hit.lookup === lookup ? (
          <button
            key={keyOfHit(hit)}
            id={optionId(at)}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            className="quiet search-hit"
            onClick={() => choose(hit)}
          >
            <HitLabel hit={hit} />
          </button>
        ) : null,
      )}
    </fieldset>
  );
}

function HitLabel({ hit }: { readonly hit: Hit }) {
  const { texts, formats } = useLocalization();
  if ('name' in hit) {
    return (
      <>
        <span>{hit.name}</span>
        <span className="soft small">{hit.value}</span>
      </>
    );
  }
  if (hit.lookup === 'transaction_id') {
    return (
      <>
        <span>
          {hit.status !== undefined && <StatusIcon status={hit.status} />} {texts.kinds[hit.kind]}{' '}
          {hit.value}
        </span>
        <span className="soft small">{formats.day(hit.day)}</span>
      </>
    );
  }
  return (
    <>
      <span>
        {texts.kinds[hit.kind]} <q>{hit.value}</q>
      </span>
      <span className="soft small">{texts.list.count(hit.count, formats.count(hit.count))}</span>
    </>
  );
}

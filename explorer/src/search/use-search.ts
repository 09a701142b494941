/** React hook that searches a text: one request per lookup, in parallel and after a pause in typing. */

import { useQueries } from '@tanstack/react-query';
import { useExplorer } from '../access/explorer-context.tsx';
import type { ApiQuery } from '../query/api-query.ts';
import type { Service } from '../service/service.ts';
import { type Hit, hitsOf } from './hits.ts';
import {
  DIRECTORY_OF,
  isNameLookup,
  type Lookup,
  lookupQuery,
  lookupsOf,
  periodParametersOf,
} from './lookups.ts';
import { useDebounced } from './use-debounced.ts';

export interface SearchResult {
  /** In the order of the lookups. */
  readonly hits: readonly Hit[];
  readonly isSearching: boolean;
  /** Of the first lookup that failed; null without one. */
  readonly error: Error | null;
}

/** Requests for an earlier text are cancelled. */
export function useSearch(text: string): SearchResult {
  const { service, query } = useExplorer();
  const settled = useDebounced(text);
  const lookups = text === settled ? lookupsOf(settled, service.role) : [];
  const results = useQueries({
    queries: lookups.map((lookup) => {
      const asked = lookupQuery(lookup, settled, periodParametersOf(query));
      return {
        queryKey: ['search', lookup, asked],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
          await ask(service, lookup, asked, signal),
      };
    }),
  });
  return {
    hits: results.flatMap(({ data = [] }, at) => {
      const lookup = lookups[at];
      return lookup === undefined ? [] : hitsOf(lookup, settled, data);
    }),
    isSearching: text !== settled || results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
}

async function ask(service: Service, lookup: Lookup, query: ApiQuery, signal: AbortSignal) {
  if (isNameLookup(lookup)) return await service.directory(DIRECTORY_OF[lookup], query, { signal });
  return await service.transactions.summary(query, { signal });
}

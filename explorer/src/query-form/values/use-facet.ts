/** React hook for the facet of a filter, which is requested when its input gets the focus or a name is missing. */

import { useExplorer } from '../../access/explorer-context.tsx';
import { usePerformance } from '../../performance/use-performance.ts';
import { facetQuery, facetValues, isFacet } from './facets.ts';
import type { NamedValue } from './named-values.ts';

/** Undefined until it has arrived. */
export function useFacet(field: string, isNeeded: boolean): readonly NamedValue[] | undefined {
  const { service, view, days } = useExplorer();
  const query = facetQuery(field, view, days);
  const { data, isPlaceholderData } = usePerformance(
    query,
    isNeeded && isFacet(field, service.role),
  );
  return data === undefined || isPlaceholderData ? undefined : facetValues(field, data, view);
}

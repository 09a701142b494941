/** React hook for the values that a filter suggests, with names and counts, from its facet and the directory. */

import { useQuery } from '@tanstack/react-query';
import { STATUS_TEXTS } from '../../../../src/contract/record/statuses.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useGroups } from '../../overview/use-groups.ts';
import { DIRECTORY_OF, isNameLookup, lookupQuery } from '../../search/lookups.ts';
import { useDebounced } from '../../search/use-debounced.ts';
import { MIN_NAME_LENGTH, mergedValues, type NamedValue } from './named-values.ts';
import { useFacet } from './use-facet.ts';
import { useSeenValues } from './use-seen-values.ts';

interface Suggested {
  /** The values that apply. */
  readonly chosen: readonly string[];
  /** The item being typed. */
  readonly typed: string;
  /** Whether the filter is being edited, which needs all values with their counts. */
  readonly isEdited: boolean;
}

export function useNamedValues(
  field: string,
  { chosen, typed, isEdited }: Suggested,
): readonly NamedValue[] {
  const seen = useSeenValues(field);
  const found = useDirectoryValues(field, typed);
  const isUnnamed = useIsUnnamed(field, chosen, seen);
  const facet = useFacet(field, isEdited || isUnnamed);
  return mergedValues(mergedValues(facet ?? seen, found), useClosedValues(field));
}

/** Whether names of applied values need a request. Waits for the overview's top list, because it has most names. */
function useIsUnnamed(
  field: string,
  chosen: readonly string[],
  seen: readonly NamedValue[],
): boolean {
  const { query } = useExplorer();
  const { data, isPlaceholderData } = useGroups(query, [field], false);
  if (!isNameLookup(field) || data === undefined || isPlaceholderData) return false;
  const isWithoutNames = seen.length > 0 && seen.every(({ name }) => name === undefined);
  return !isWithoutNames && !chosen.every((id) => seen.some(({ value }) => value === id));
}

/** The values that are known without a request: the statuses, and the user's own websites. */
function useClosedValues(field: string): readonly NamedValue[] {
  const { publisher_ids: websites } = useExplorer().service.me;
  if (field === 'status') return STATUS_TEXTS.map((value) => ({ value }));
  const own = field === 'publisher_id' && websites !== 'all' ? websites : [];
  return own.map((id) => ({ value: String(id) }));
}

/** Searches the names of the directory for the typed text. */
function useDirectoryValues(field: string, typed: string): readonly NamedValue[] {
  const { service } = useExplorer();
  const text = useDebounced(typed.trim());
  const { data = [] } = useQuery({
    queryKey: ['search', field, text],
    enabled: isNameLookup(field) && text.length >= MIN_NAME_LENGTH && !/^\d+$/.test(text),
    queryFn: async ({ signal }) =>
      isNameLookup(field)
        ? await service.directory(DIRECTORY_OF[field], lookupQuery(field, text, {}), { signal })
        : [],
  });
  return data.flatMap((entry) =>
    typeof entry.name === 'string' ? [{ value: String(entry[field]), name: entry.name }] : [],
  );
}

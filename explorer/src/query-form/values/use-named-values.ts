/** React hook for the values that a filter suggests: seen in responses, and found in the directory by name. */

import { useQuery } from '@tanstack/react-query';
import { useAccess } from '../../access/access-context.tsx';
import { DIRECTORY_OF, isNameLookup, lookupQuery } from '../../search/lookups.ts';
import { useSettled } from '../../search/use-settled.ts';
import { MIN_NAME_LENGTH, mergedValues, type NamedValue } from './named-values.ts';
import { useSeenValues } from './use-seen-values.ts';

/** The user's own websites are known without a response. */
export function useNamedValues(name: string, typed: string): readonly NamedValue[] {
  const { publisher_ids: websites } = useAccess().service.me;
  const seen = useSeenValues(name);
  const found = useDirectoryValues(name, typed);
  const own = name === 'publisher_id' && websites !== 'all' ? websites : [];
  return mergedValues(
    mergedValues(seen, found),
    own.map((id) => ({ value: String(id) })),
  );
}

/** Searches the directory for the typed item. */
function useDirectoryValues(name: string, typed: string): readonly NamedValue[] {
  const { service } = useAccess();
  const text = useSettled(typed.trim());
  const { data = [] } = useQuery({
    queryKey: ['search', name, text],
    enabled: isNameLookup(name) && text.length >= MIN_NAME_LENGTH && !/^\d+$/.test(text),
    queryFn: async ({ signal }) =>
      isNameLookup(name)
        ? await service.directory(DIRECTORY_OF[name], lookupQuery(name, text, {}), { signal })
        : [],
  });
  return data.flatMap((entry) =>
    typeof entry.name === 'string' ? [{ value: String(entry[name]), name: entry.name }] : [],
  );
}

/** React hook for the values of a filter in cached responses, without counts, because counts depend on the query. */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { nameFieldOf } from '../../../../src/contract/record/directory.ts';
import type { ApiQuery, ResultRow } from '../../query/api-query.ts';
import type { NamedValue } from './named-values.ts';

/** The most suggestions. */
const MAX_VALUES = 200;

/** Sorted by frequency. */
export function useSeenValues(name: string): readonly NamedValue[] {
  const queries = useQueryClient();
  const [values, setValues] = useState(() => valuesIn(queries, name));
  useEffect(() => {
    setValues(valuesIn(queries, name));
    return queries.getQueryCache().subscribe((event) => {
      const isNew = event.type === 'updated' && event.action.type === 'success';
      if (isNew && isGroupedBy(event.query.queryKey, name)) setValues(valuesIn(queries, name));
    });
  }, [queries, name]);
  return values;
}

/** Whether a query groups by this field alone: its key ends with the parameters. */
const isGroupedBy = (key: readonly unknown[], name: string): boolean =>
  key[0] === 'groups' && (key.at(-1) as ApiQuery).group_by === name;

function valuesIn(queries: QueryClient, name: string): readonly NamedValue[] {
  const seen = new Map<string, NamedValue & { readonly count: number }>();
  const nameField = nameFieldOf(name)?.name ?? '';
  const predicate = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    isGroupedBy(queryKey, name);
  for (const [, groups = []] of queries.getQueriesData<readonly ResultRow[]>({ predicate })) {
    for (const { [name]: value, [nameField]: named, count } of groups) {
      if (value === null || value === undefined) continue;
      const known = seen.get(String(value));
      seen.set(String(value), {
        value: String(value),
        name: typeof named === 'string' ? named : known?.name,
        count: Math.max(Number(count), known?.count ?? 0),
      });
    }
  }
  const found = [...seen.values()].sort((one, other) => other.count - one.count);
  return found.slice(0, MAX_VALUES).map(({ value, name: named }) => ({ value, name: named }));
}

/** The values of a filter that the page has seen in answers: nothing is asked for to know them. */

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Question, Values } from '../query/question.ts';

/** Nobody reads through more. */
const MOST = 200;

/** The most frequent values first. */
export function useSeenValues(name: string): readonly string[] {
  const queries = useQueryClient();
  const [known, setKnown] = useState(() => knownIn(queries, name));
  useEffect(() => {
    setKnown(knownIn(queries, name));
    return queries.getQueryCache().subscribe((event) => {
      const isNew = event.type === 'updated' && event.action.type === 'success';
      if (isNew && isBy(event.query.queryKey, name)) setKnown(knownIn(queries, name));
    });
  }, [queries, name]);
  return known;
}

/** Whether groups are asked for by this alone: their key ends with what is asked. */
const isBy = (key: readonly unknown[], name: string): boolean =>
  key[0] === 'groups' && (key.at(-1) as Question).group_by === name;

function knownIn(queries: QueryClient, name: string): readonly string[] {
  const counts = new Map<string, number>();
  const predicate = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    isBy(queryKey, name);
  for (const [, groups = []] of queries.getQueriesData<readonly Values[]>({ predicate })) {
    for (const { [name]: value, count } of groups) {
      if (value !== null && value !== undefined) {
        counts.set(String(value), Math.max(Number(count), counts.get(String(value)) ?? 0));
      }
    }
  }
  const found = [...counts].sort(([, one], [, other]) => other - one);
  return found.slice(0, MOST).map(([value]) => value);
}

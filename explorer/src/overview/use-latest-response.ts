/** React hook for the latest response together with the period that it belongs to. */

import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResultRow } from '../query/api-query.ts';
import type { Granularity } from '../query/granularity.ts';
import type { Period } from '../query/periods.ts';

export interface LatestResponse {
  readonly groups: readonly ResultRow[];
  readonly days: Period;
  readonly granularity: Granularity;
}

type QueryResult = Pick<UseQueryResult<readonly ResultRow[]>, 'data' | 'isPlaceholderData'>;

export function useLatestResponse(
  { data, isPlaceholderData }: QueryResult,
  days: Period,
  granularity: Granularity,
): LatestResponse | undefined {
  const [latest, setLatest] = useState<LatestResponse>();
  if (data === undefined || data === latest?.groups) return data && latest;
  const next = { groups: data, days, granularity };
  // Each response is a new array, so the state changes once for each.
  if (!isPlaceholderData) setLatest(next);
  return next;
}

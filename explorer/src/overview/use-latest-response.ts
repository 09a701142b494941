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
  /** Milliseconds since 1970. */
  readonly loadedAt: number;
}

type QueryResult = Pick<
  UseQueryResult<readonly ResultRow[]>,
  'data' | 'dataUpdatedAt' | 'isPlaceholderData'
>;

export function useLatestResponse(
  { data, dataUpdatedAt, isPlaceholderData }: QueryResult,
  days: Period,
  granularity: Granularity,
): LatestResponse | undefined {
  const [latest, setLatest] = useState<LatestResponse>();
  // A response that is equal to the one before is the same array.
  const isSame = latest?.loadedAt === dataUpdatedAt || isPlaceholderData;
  if (data === undefined || (data === latest?.groups && isSame)) return data && latest;
  const next = { groups: data, days, granularity, loadedAt: dataUpdatedAt };
  // Each response has its own time or array, so the state changes once for each.
  if (!isPlaceholderData) setLatest(next);
  return next;
}

/** React hook that keeps the last response if a later request fails, so that the page can show it greyed. */

import { useState } from 'react';

interface Response<Data> {
  readonly data: Data | undefined;
  readonly isPlaceholderData: boolean;
}

/** The present response, or without one the last response for the same key. */
export function useLastKnown<Data>(
  { data, isPlaceholderData }: Response<Data>,
  key: string | undefined,
): Response<Data> {
  const [last, setLast] = useState({ key, data });
  if (data !== undefined && (data !== last.data || key !== last.key)) setLast({ key, data });
  if (data !== undefined || last.key !== key) return { data, isPlaceholderData };
  return { data: last.data, isPlaceholderData: last.data !== undefined };
}

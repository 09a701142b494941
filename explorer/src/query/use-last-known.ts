/** React hook that keeps the last response if a later request fails, so that the page can show it greyed. */

import { useState } from 'react';

interface Response<Data> {
  readonly data: Data | undefined;
  readonly isPlaceholderData: boolean;
}

/** The last response, while the next one is loading. It is kept only while the key stays the same. */
export function useLastKnown<Data>(
  { data, isPlaceholderData }: Response<Data>,
  key: string | undefined,
): Response<Data> {
  const [last, setLast] = useState({ key, data });
  if (data !== undefined && (data !== last.data || key !== last.key)) setLast({ key, data });
  if (data !== undefined || last.key !== key) return { data, isPlaceholderData };
  return { data: last.data, isPlaceholderData: last.data !== undefined };
}

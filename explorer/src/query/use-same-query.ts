/** React hook that returns the same object for equal queries, so that a change of display options reloads nothing. */

import { useState } from 'react';
import type { ApiQuery } from './api-query.ts';

export function useSameQuery(next: ApiQuery): ApiQuery {
  const [query, setQuery] = useState(next);
  if (JSON.stringify(query) === JSON.stringify(next)) return query;
  setQuery(next);
  return next;
}

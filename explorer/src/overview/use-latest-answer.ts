/** What is shown of a question: the answer to it, or that to the one before, with its own days, until it is there. */

import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Period, Stretch } from '../query/periods.ts';
import type { Values } from '../query/question.ts';

export interface Shown {
  readonly groups: readonly Values[];
  readonly days: Period;
  readonly stretch: Stretch;
}

type Answer = Pick<UseQueryResult<readonly Values[]>, 'data' | 'isPlaceholderData'>;

export function useLatestAnswer(
  { data, isPlaceholderData }: Answer,
  days: Period,
  stretch: Stretch,
): Shown | undefined {
  const [shown, setShown] = useState<Shown>();
  if (data === undefined || data === shown?.groups) return data && shown;
  const next = { groups: data, days, stretch };
  // Each answer is an array of its own, so this happens once for each.
  if (!isPlaceholderData) setShown(next);
  return next;
}

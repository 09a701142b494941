/** Who asks and what they look at, for every part of the page behind the door. */

import { createContext, useContext } from 'react';
import type { Period } from './periods.ts';
import type { Question } from './question.ts';
import type { Service } from './service.ts';
import type { ChangeView } from './use-view.ts';
import type { View } from './view.ts';

export interface Asker {
  readonly service: Service;
  readonly view: View;
  readonly change: ChangeView;
  readonly days: Period;
  readonly question: Question;
}

export const AskerContext = createContext<Asker | undefined>(undefined);

export function useAsker(): Asker {
  const asker = useContext(AskerContext);
  if (asker === undefined) throw new Error('Nobody asks around this part of the page.');
  return asker;
}

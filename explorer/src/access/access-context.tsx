/** Who asks and what they look at, for every part of the page behind the door. */

import { createContext, useContext } from 'react';
import type { Period } from '../query/periods.ts';
import type { Question } from '../query/question.ts';
import type { ChangeView } from '../query/use-view.ts';
import type { View } from '../query/view.ts';
import type { Service } from '../service/service.ts';

export interface Access {
  readonly service: Service;
  readonly view: View;
  readonly change: ChangeView;
  readonly days: Period;
  readonly question: Question;
}

export const AccessContext = createContext<Access | undefined>(undefined);

export function useAccess(): Access {
  const asker = useContext(AccessContext);
  if (asker === undefined) throw new Error('Nobody asks around this part of the page.');
  return asker;
}

/** React context with the client of the service, the signed-in user, and the current query. */

import { createContext, useContext } from 'react';
import type { ApiQuery } from '../query/api-query.ts';
import type { Period } from '../query/periods.ts';
import type { ChangeView } from '../query/use-view.ts';
import type { View } from '../query/view.ts';
import type { Service } from '../service/service.ts';

export interface ExplorerState {
  readonly service: Service;
  readonly view: View;
  readonly change: ChangeView;
  readonly days: Period;
  readonly query: ApiQuery;
}

export const ExplorerContext = createContext<ExplorerState | undefined>(undefined);

export function useExplorer(): ExplorerState {
  const state = useContext(ExplorerContext);
  if (state === undefined) throw new Error('useExplorer needs an ExplorerContext around it.');
  return state;
}

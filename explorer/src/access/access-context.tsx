/** React context with the signed-in service and the current query. */

import { createContext, useContext } from 'react';
import type { ApiQuery } from '../query/api-query.ts';
import type { Period } from '../query/periods.ts';
import type { ChangeView } from '../query/use-view.ts';
import type { View } from '../query/view.ts';
import type { Service } from '../service/service.ts';

export interface Access {
  readonly service: Service;
  readonly view: View;
  readonly change: ChangeView;
  readonly days: Period;
  readonly query: ApiQuery;
}

export const AccessContext = createContext<Access | undefined>(undefined);

export function useAccess(): Access {
  const access = useContext(AccessContext);
  if (access === undefined) throw new Error('useAccess needs an AccessContext around it.');
  return access;
}

/** Plans a page of the change feed: combines a query with what the principal may read. */

import type { Principal } from '../../auth/principal.ts';
import { LAST_INSTANT } from '../../contract/query/calendar.ts';
import type { ChangesQuery } from '../../contract/query/query.ts';
import type { Kind } from '../../contract/record/kinds.ts';
import { RECORD_FIELDS } from '../../contract/record/records.ts';
import { type PlanContext, type Presentation, type Selection, scopesOf } from '../list-plan.ts';

export interface ChangePlan extends Selection, Presentation {
  readonly kinds: readonly Kind[];
  /** The platform's time zone. */
  readonly timeZone: string;
  /** The maximum number of changes. */
  readonly limit: number;
}

/** The default of `limit`. */
export const DEFAULT_LIMIT = 1000;

/** Plans a page. Throws a Problem if the query requests what the principal may not read. */
export const planChanges = (
  query: ChangesQuery,
  principal: Principal,
  { timeZone, locale, form = 'json' }: Pick<PlanContext, 'timeZone' | 'locale' | 'form'>,
): ChangePlan =>
  Object.freeze({
    role: principal.role,
    kinds: query.type,
    dateField: 'created_at',
    from: 0,
    until: LAST_INSTANT,
    ...scopesOf(query, principal),
    filters: [],
    fields: RECORD_FIELDS[principal.role],
    form,
    locale,
    timeZone,
    limit: query.limit ?? DEFAULT_LIMIT,
  });

/** Plans a list of programs or publishers: combines a query with what the principal may see. */

import type { Principal } from '../../auth/principal.ts';
import { folded } from '../../contract/folded-text.ts';
import type { DirectoryQuery } from '../../contract/query/query.ts';
import { directoryFields, type ListedDirectory } from '../../contract/record/directory.ts';
import type { PlanContext, Presentation, Selection } from '../list-plan.ts';

export interface DirectoryPlan extends Selection, Presentation {
  readonly of: ListedDirectory;
  /** The text to find in names, as {@link folded} returns it. */
  readonly search: string | undefined;
  readonly limit: number | undefined;
  /** Only entries with a greater identifier. */
  readonly after: number | undefined;
}

/** `from` and `until` are 0, because the tables of the directory are not divided by date. */
export const planDirectory = (
  of: ListedDirectory,
  query: DirectoryQuery,
  principal: Principal,
  { locale, form = 'json', after }: Omit<PlanContext, 'timeZone'>,
): DirectoryPlan =>
  Object.freeze({
    of,
    role: principal.role,
    dateField: 'created_at',
    from: 0,
    until: 0,
    programIds: principal.programIds,
    publisherIds: principal.publisherIds,
    filters: [],
    fields: directoryFields(of),
    form,
    locale,
    search: query.search === undefined ? undefined : folded(query.search),
    limit: query.limit,
    after: after?.transactionId,
  });

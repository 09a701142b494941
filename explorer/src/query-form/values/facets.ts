/** Facets: the values of one filter under all other filters, with names and counts. */

import { performanceGroupingsOf } from '../../../../src/contract/query/groupings.ts';
import { nameFieldOf } from '../../../../src/contract/record/directory.ts';
import type { Kind } from '../../../../src/contract/record/kinds.ts';
import type { Role } from '../../../../src/contract/record/records.ts';
import { STATUS_NAMES, STATUSES } from '../../../../src/contract/record/statuses.ts';
import {
  partsIgnoredByPerformance,
  performanceQueryOf,
} from '../../performance/performance-query.ts';
import type { ApiQuery, ResultRow } from '../../query/api-query.ts';
import { oppositeOf, valuesOf } from '../../query/filters.ts';
import type { Period } from '../../query/periods.ts';
import type { View } from '../../query/view.ts';
import type { NamedValue } from './named-values.ts';

/** The most values of a facet. */
const MAX_VALUES = 200;

/** Whether performance can be grouped by this field. A click id is no facet, because each row has another one. */
export const isFacet = (field: string, role: Role): boolean =>
  performanceGroupingsOf(role).some((grouping) => grouping === field);

/**
 * The request of a facet. Values with the most events of the view's kind come first. Values with events only of other
 * kinds are included, because the page needs their names.
 */
export function facetQuery(field: string, view: View, days: Period): ApiQuery {
  const { [field]: _, [oppositeOf(field)]: __, ...filters } = view.filters;
  return {
    ...performanceQueryOf({ filters }, days),
    group_by: field,
    ...(nameFieldOf(field) === undefined ? {} : { names: 'true' }),
    sort: `-${view.kind}`,
    limit: String(MAX_VALUES),
  };
}

/**
 * The values of a response, with counts if performance counts the same rows as the list. It does not if it ignores a
 * filter, or if the period applies to another date than the creation. A filter by status is possible for leads and
 * sales, because they have a measure for each status.
 */
export function facetValues(
  field: string,
  rows: readonly ResultRow[],
  view: View,
): readonly NamedValue[] {
  const isCounted = partsIgnoredByPerformance(view).every((part) => part === 'status');
  const measures = isCounted ? countMeasures(view.kind, view.filters.status) : [];
  const nameField = nameFieldOf(field)?.name ?? '';
  return rows.flatMap(({ [field]: value, [nameField]: name, ...row }) => {
    if (value === null || value === undefined) return [];
    const sum = measures.reduce((all, measure) => all + Number(row[measure] ?? 0), 0);
    return {
      value: String(value),
      name: typeof name === 'string' ? name : undefined,
      count: measures.length === 0 ? undefined : sum,
    };
  });
}

/** The measures whose sum is the number of transactions of the kind with these statuses. Empty if none exist. */
function countMeasures(kind: Kind, status: string | undefined): readonly string[] {
  if (status === undefined) return [kind];
  if (kind !== 'leads' && kind !== 'sales') return [];
  const chosen = valuesOf('status', status);
  return STATUSES.filter((one) => chosen.includes(String(one))).map(
    (one) => `${kind}_${STATUS_NAMES[one]}`,
  );
}

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

/** Whether performance can be grouped by this field. A click id, for example, is different in each row. */
export const isFacet = (field: string, role: Role): boolean =>
  performanceGroupingsOf(role).some((grouping) => grouping === field);

/** Values with the most events of the kind first. Values without events are included, for their names. */
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
 * Counts are left out if performance cannot count the rows of the list: if it does not accept a filter, if the period
 * applies to another date than the creation, or if kinds other than leads and sales are filtered by status.
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

/** The measures that add up to the transactions of the kind with these statuses. */
function countMeasures(kind: Kind, status: string | undefined): readonly string[] {
  if (status === undefined) return [kind];
  if (kind !== 'leads' && kind !== 'sales') return [];
  const chosen = valuesOf('status', status);
  return STATUSES.filter((one) => chosen.includes(String(one))).map(
    (one) => `${kind}_${STATUS_NAMES[one]}`,
  );
}

/** Query for performance: all kinds together, by the date of creation, with the filters that performance accepts. */

import { PERFORMANCE_PARAMETERS } from '../../../src/contract/query/performance-parameters.ts';
import type { ApiQuery, ResultRow } from '../query/api-query.ts';
import type { Period } from '../query/periods.ts';
import { DEFAULT_VIEW, type View } from '../query/view.ts';

const isAccepted = (name: string): boolean => Object.hasOwn(PERFORMANCE_PARAMETERS, name);

export const performanceQueryOf = (
  { filters }: Pick<View, 'filters'>,
  { start, end }: Period,
): ApiQuery => ({
  start_date: start,
  end_date: end,
  ...filtersOfPerformance(filters),
});

export const filtersOfPerformance = (filters: View['filters']): View['filters'] =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => isAccepted(name)));

/** The parts of the view that performance cannot be filtered by, such as a status. */
export const partsIgnoredByPerformance = ({ filters, dateField }: View): readonly string[] => [
  ...Object.keys(filters).filter((name) => !isAccepted(name)),
  ...(dateField === DEFAULT_VIEW.dateField ? [] : ['date_field']),
];

/** Whether a row has the values of the former period. The rows of a previous query, shown meanwhile, may lack them. */
export const isComparedRow = (row: ResultRow): boolean => row.former_earnings !== undefined;

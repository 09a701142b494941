/** Performance of one role: measures, such as counts and earnings, and ratios by group. */

import type { Cancellable } from './lists/rows.ts';
import type {
  PerformanceGroupingOf,
  PerformanceParameters,
  PerformanceRecord,
  Role,
} from './model.ts';
import { requestJson } from './request-json.ts';
import type { Connection } from './transport/connection.ts';
import type { QueryParameters } from './transport/query-string.ts';

/**
 * Measures and ratios by group. Without `group_by`, one record with the totals. To read the next
 * page, add `limit` to `offset`.
 */
export type PerformanceEndpoint<Of extends Role> = <
  Grouping extends PerformanceGroupingOf<Of> = never,
>(
  query: PerformanceParameters<Of, Grouping>,
  options?: Cancellable,
) => Promise<readonly PerformanceRecord<Of, Grouping>[]>;

export function performanceOf<Of extends Role>(
  connection: Connection,
  role: Of,
): PerformanceEndpoint<Of> {
  const path = `/api/${role}/performance`;
  const untyped = async (parameters: QueryParameters, options: Cancellable = {}) =>
    await requestJson(connection, { path, parameters }, options);
  // The types come from the OpenAPI document, and tests hold the service to it.
  return untyped as unknown as PerformanceEndpoint<Of>;
}

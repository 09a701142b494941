/** The top groups of each field. */

import { useExplorer } from '../access/explorer-context.tsx';
import { granularityOf } from '../query/granularity.ts';
import { measureOf, summaryMeasuresOf } from './measures.ts';
import { TopGroups } from './top-groups.tsx';
import { useGroups } from './use-groups.ts';

const GROUPINGS = ['program_id', 'publisher_id', 'country', 'device_type'] as const;

export function TopLists() {
  const { service, view, days, query } = useExplorer();
  const measure = measureOf(summaryMeasuresOf(service.role, view.kind), view.measure);
  // The chart sends the same request, so both share one response. The lists are loaded after it.
  const { data } = useGroups(query, [granularityOf(days, view.granularity), 'status']);
  if (measure === undefined) return null;
  return (
    <div className="tops">
      {GROUPINGS.map((grouping) => (
        <TopGroups
          key={grouping}
          grouping={grouping}
          measure={measure}
          isEnabled={data !== undefined}
        />
      ))}
    </div>
  );
}

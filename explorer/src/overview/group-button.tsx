/** One group of a top list: its name, value and share, as a button that filters by it. */

import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import type { ResultRow } from '../query/api-query.ts';
import { groupNameOf, labelWithId } from '../ui/group-name.ts';
import { barLengthOf, formatMeasure, measureValue, type SummaryMeasure } from './measures.ts';
import { selectedValues, toggleFilter } from './toggle-filter.ts';

export type TopGrouping = 'program_id' | 'publisher_id' | 'country' | 'device_type';

interface GroupButtonProps {
  readonly group: ResultRow;
  readonly grouping: TopGrouping;
  readonly measure: SummaryMeasure;
  /** The sum of all groups. */
  readonly sum: number;
  /** Whether there is room for the identifier. */
  readonly hasId?: boolean;
  /** Called after the filter has changed. */
  onFilter?(): void;
}

export function GroupButton({ group, grouping, measure, sum, hasId, onFilter }: GroupButtonProps) {
  const { texts, formats } = useLocalization();
  const { view, change } = useExplorer();
  const code = String(group[grouping]);
  const named = groupNameOf(grouping, group, formats);
  const isPressed = named !== undefined && selectedValues(view.filters, grouping).includes(code);
  const hint = isPressed ? texts.ask.remove : texts.glance.only;
  const value = measureValue(group, measure);
  const share = sum === 0 ? 0 : value / sum;
  return (
    <button
      type="button"
      className="group"
      // No filter matches an unknown value.
      disabled={named === undefined}
      aria-pressed={isPressed}
      title={named && hint(labelWithId(named))}
      onClick={() => {
        change({ filters: toggleFilter(view.filters, grouping, code) });
        onFilter?.();
      }}
    >
      <span className="group-name">
        {named?.name ?? texts.glance.unknown}
        {hasId && named?.id !== undefined && <span className="soft small"> {named.id}</span>}
      </span>
      <span className="group-value">{formatMeasure(value, measure, formats)}</span>
      <span className="group-share soft">{formats.share(share)}</span>
      <span className="group-bar" style={{ scale: `${barLengthOf(share)} 1` }} />
    </button>
  );
}

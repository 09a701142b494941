/** Choice of what the performance table is grouped by. */

import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { tabsOf } from './tabs.ts';

export function TabChoice() {
  const { texts } = useLocalization();
  const { service, view, change } = useExplorer();
  return (
    <SegmentedControl
      legend={texts.performance.groupedBy}
      options={tabsOf(service.role).map(({ grouping }) => grouping)}
      chosen={view.table}
      labelOf={(grouping) => texts.performance.tab[grouping]}
      choose={(table) => change({ table })}
    />
  );
}

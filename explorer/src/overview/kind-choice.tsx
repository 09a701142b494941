/** Choice of the kind of transactions that the chart and the list show. */

import { KINDS } from '../../../src/contract/record/kinds.ts';
import { useExplorer } from '../access/explorer-context.tsx';
import { useLocalization } from '../layout/localization-context.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';

export function KindChoice() {
  const { texts } = useLocalization();
  const { view, change } = useExplorer();
  return (
    <SegmentedControl
      legend={texts.ask.kind}
      options={KINDS}
      chosen={view.kind}
      labelOf={(kind) => texts.kinds[kind]}
      choose={(kind) => change({ kind, measure: undefined })}
    />
  );
}

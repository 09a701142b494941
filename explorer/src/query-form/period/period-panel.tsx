/** The content of the date picker: named periods, calendar, typed dates and comparison. */

import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import { resolveComparison } from '../../query/comparisons.ts';
import type { Period, Preset } from '../../query/periods.ts';
import { useToday } from '../../query/today.ts';
import { ComparisonSelect } from './comparison-select.tsx';
import { DateRange } from './date-range.tsx';
import { PresetList } from './preset-list.tsx';
import { RangeCalendar } from './range-calendar.tsx';

interface PeriodPanelProps {
  close(): void;
}

export function PeriodPanel({ close }: PeriodPanelProps) {
  const { change, days } = useExplorer();
  const select = (period: Preset | Period) => {
    change({ period });
    close();
  };
  return (
    <div className="period-panel">
      <PresetList select={select} />
      <div className="period-dates">
        <DateRange days={days} close={close} />
        <RangeCalendar days={days} select={select} />
      </div>
      <div className="period-comparison">
        <ComparisonSelect />
        <ComparedPeriod />
      </div>
    </div>
  );
}

/** The days that the period is compared with. */
function ComparedPeriod() {
  const { formats } = useLocalization();
  const { view, days, service } = useExplorer();
  const today = useToday(service.me.time_zone);
  const compared = resolveComparison({ ...view, days, today });
  return (
    <span className="soft small">
      {compared && formats.period(compared.former.start, compared.former.end)}
    </span>
  );
}

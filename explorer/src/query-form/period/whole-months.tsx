/** Buttons that choose the whole months that the calendar shows. */

import { useLocalization } from '../../layout/localization-context.tsx';
import type { Period, Preset } from '../../query/periods.ts';

interface WholeMonthsProps {
  readonly months: readonly Period[];
  readonly today: string;
  select(period: Preset | Period): void;
}

export function WholeMonths({ months, today, select }: WholeMonthsProps) {
  const { texts, formats } = useLocalization();
  return (
    <div className="whole-months">
      {months.map((whole) => (
        <button
          key={whole.start}
          type="button"
          className="quiet small"
          // Selects the present month by name, to compare it with the same dates of the month before.
          onClick={() => select(whole.end < today || whole.start > today ? whole : 'this-month')}
        >
          {texts.period.wholeMonth(formats.month(whole.start))}
        </button>
      ))}
    </div>
  );
}

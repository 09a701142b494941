/** Calendar in which two clicks select a range of days, and one click a whole month. */

import { useMemo, useState } from 'react';
import { DayPicker } from 'react-day-picker';
import { FIRST_DAY } from '../../../../src/contract/query/calendar.ts';
import { useExplorer } from '../../access/explorer-context.tsx';
import { useLocalization } from '../../layout/localization-context.tsx';
import type { Period, Preset } from '../../query/periods.ts';
import { useToday } from '../../query/today.ts';
import { useDraft } from '../use-draft.ts';
import { dayText, monthOf, shownMonths, toDate } from './calendar-dates.ts';
import { calendarLabels, formattersOf } from './calendar-words.ts';
import { useDayBounds } from './use-day-bounds.ts';
import { useRangeSelection } from './use-range-selection.ts';
import { weekStartOf } from './week-start.ts';
import { WholeMonths } from './whole-months.tsx';

interface RangeCalendarProps {
  readonly days: Period;
  select(period: Preset | Period): void;
}

/** The width from which two months fit beside the named periods. */
const WIDE = '(min-width: 52rem)';

export function RangeCalendar({ days, select }: RangeCalendarProps) {
  const localization = useLocalization();
  const { texts, formats } = localization;
  const today = useToday(useExplorer().service.me.time_zone);
  const { first: firstDay = FIRST_DAY, last: lastDay = today } = useDayBounds(today);
  const [monthCount] = useState(() => (matchMedia(WIDE).matches ? 2 : 1));
  const [month, setMonth] = useDraft(monthOf(days.end, 1 - monthCount).start, days.end);
  const [earliest = days.start] = [firstDay, days.start].sort();
  const [, latest = today] = [today, days.end].sort();
  const months = shownMonths(month, { earliest, latest, count: monthCount });
  const { shown, begun, choose, hover } = useRangeSelection(days, select);
  const words = useMemo(
    () => ({ formatters: formattersOf(localization), labels: calendarLabels(localization) }),
    [localization],
  );
  return (
    <div className="range-calendar">
      <DayPicker
        {...words}
        mode="range"
        required
        autoFocus
        captionLayout="dropdown"
        navLayout="around"
        numberOfMonths={monthCount}
        weekStartsOn={weekStartOf(formats.tag)}
        month={toDate(months[0].start)}
        onMonthChange={(date) => setMonth(dayText(date))}
        startMonth={toDate(earliest)}
        endMonth={toDate(latest)}
        today={toDate(today)}
        selected={{ from: toDate(shown.start), to: toDate(shown.end) }}
        // Ignores the range that the library computes, because two clicks always select a new one.
        onSelect={(_, date) => choose(dayText(date))}
        onDayMouseEnter={(date) => hover(dayText(date))}
        onDayFocus={(date) => hover(dayText(date))}
        modifiers={{ empty: (date) => dayText(date) < firstDay || dayText(date) > lastDay }}
        modifiersClassNames={{ empty: 'empty-day' }}
      />
      <p className="soft small" role="status">
        {begun === undefined ? texts.period.hint : texts.period.begun(formats.day(begun))}
      </p>
      <WholeMonths months={months} today={today} select={select} />
    </div>
  );
}

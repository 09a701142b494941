/** Labels and formats of the calendar in the language of the page. */

import type { Formatters, Labels } from 'react-day-picker';
import type { Localization } from '../../layout/localization-context.tsx';
import { dayText } from './calendar-dates.ts';

type Words = Pick<Localization, 'texts' | 'formats'>;

export function formattersOf({ formats }: Words): Partial<Formatters> {
  const dateFormat = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(formats.tag, options);
    return (date: Date) => format.format(date);
  };
  return {
    formatCaption: (date) => formats.month(dayText(date)),
    formatMonthDropdown: dateFormat({ month: 'long' }),
    formatWeekdayName: dateFormat({ weekday: 'short' }),
  };
}

export function calendarLabels({ texts, formats }: Words): Partial<Labels> {
  const { previousMonth, nextMonth, month, year, noData } = texts.period;
  const weekday = new Intl.DateTimeFormat(formats.tag, { weekday: 'long' });
  return {
    labelPrevious: () => previousMonth,
    labelNext: () => nextMonth,
    labelMonthDropdown: () => month,
    labelYearDropdown: () => year,
    labelGrid: (date) => formats.month(dayText(date)),
    labelWeekday: (date) => weekday.format(date),
    labelDayButton: (date, { empty }) => {
      const day = formats.dayOfWeek(dayText(date));
      return empty === true ? `${day}, ${noData}` : day;
    },
  };
}

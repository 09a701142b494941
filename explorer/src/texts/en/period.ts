/** The texts of the date picker in English. */

export const period = {
  presets: 'Named periods',
  hint: 'Choose the first day, then the last one.',
  begun: (day: string) => `From ${day}. Choose the last day.`,
  wholeMonth: (month: string) => `All of ${month}`,
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  month: 'Month',
  year: 'Year',
  noData: 'no data',
} as const;

/** The texts of the search box in English. */

export const search = {
  label: 'Search by ID or name',
  placeholder: 'Search IDs and names',
  results: 'Results',
  searching: 'Searching…',
  found: (count: number, text: string) => `${text} ${count === 1 ? 'result' : 'results'}`,
  nothing: (text: string) => `Nothing found for “${text}”.`,
  searched: (ids: string, period: string, date: string) =>
    `${ids} must be complete. They were searched in all types, ${period} (date of ${date}). Transaction ids and names were searched in all periods.`,
} as const;

/** The texts of performance and of comparisons in English. */

export const comparison = {
  choices: { previous: 'Previous period', year: 'Previous year', none: 'No comparison' },
  against: (first: string, last: string) =>
    first === last ? `Compared with ${first}` : `Compared with ${first} to ${last}`,
  nothingBefore: (first: string, last: string) =>
    first === last ? `No data on ${first}` : `No data from ${first} to ${last}`,
  untilHour: (hour: string) => `both until ${hour}`,
  todayIsOpen: 'today is incomplete',
  daysToCome: 'the period is not over, so it is not compared',
  isNew: 'new',
  multiplied: (growth: string) => `×${growth} or more`,
  points: (value: string) => `${value} pts`,
  misleading: {
    status:
      'Not compared, because a status filter applies: recent transactions are often not validated yet',
    date: 'Not compared: periods can be compared by date of creation only',
  },
} as const;

export const performance = {
  title: 'Earnings and conversion',
  earnings: 'Earnings',
  allKinds: 'all types of transactions',
  was: (before: string) => `from ${before}`,
  notEarned: 'not earned',
  funnel: 'From impression to sale',
  rates: {
    impressions: (rate: string) => rate,
    clics: (rate: string) => `${rate} of impressions`,
    leads: (rate: string) => `${rate} of clicks`,
    sales: (rate: string) => `${rate} of clicks`,
  },
  figures: {
    conversion_rate: { label: 'Conversion', hint: 'Leads and sales per click' },
    earnings_per_click: { label: 'Earnings per click', hint: 'Earnings divided by clicks' },
    approval_rate: {
      label: 'Approval',
      hint: 'Validated leads and sales among those that are validated or refused',
    },
    average_order_value: { label: 'Average order', hint: 'Amount per sale' },
    amount: { label: 'Amount of sales', hint: 'Sales of every status' },
    remu_program: { label: 'Program remuneration', hint: 'Remuneration of every status' },
  },
  ignores: (names: string) => `Earnings and conversion are not filtered by: ${names}.`,
  programs: {
    changed: 'Largest changes by program',
    top: 'Top programs',
    now: (amount: string) => `now ${amount}`,
  },
  pending: {
    title: 'Not yet validated',
    since: 'last 24 months · actions: leads and sales',
    age: (days: string) => `${days.replace('-', '–')} days old`,
    count: (count: number, text: string) => (count === 1 ? '1 action' : `${text} actions`),
    before: 'Created before',
    show: 'Show them in the list',
  },
  payments: {
    title: 'Payments',
    unpaid: 'Validated, not paid yet',
    months: (first: string, last: string) => `${first} – ${last}`,
    none: 'No payments yet.',
  },
  firstSteps: {
    title: 'No transactions yet',
    steps: [
      'Place the links of your programs on your website.',
      'Clicks, leads and sales appear here once they are tracked and imported.',
      'If some are missing, check under “Account” that your websites are listed.',
    ],
  },
  tables: 'Performance',
  groupedBy: 'Performance by',
  sortedBy: 'Performance order',
  tab: {
    program_id: 'Programs',
    publisher_id: 'Websites',
    subid: 'Sub IDs',
    country: 'Countries',
    device_type: 'Devices',
    coupon: 'Coupons',
  },
  columns: {
    earnings: 'Earnings',
    clics: 'Clicks',
    conversion_rate: 'Conversion',
    earnings_per_click: 'Per click',
    leads: 'Leads',
    sales: 'Sales',
    approval_rate: 'Approval',
    amount: 'Amount',
    average_order_value: 'Average order',
  },
  more: 'All rows, search and CSV',
  search: 'Search by name',
  found: (count: string) => `Rows: ${count}`,
  first: (count: string) => `only the first ${count} in this order; the CSV has all rows`,
  csv: 'Download CSV',
  /** Administrators see what all publishers earn. */
  publishers: { earnings: 'Publisher earnings' },
} as const;

/** The examples of the documentation: the responses to queries about one sale, and the events around it. */

import type { Me } from '../record/me.ts';
import { RECORD_FIELDS, type Role } from '../record/records.ts';
import type { Row } from '../record/rows.ts';

/** The query, the same for both roles. */
export const EXAMPLE_QUERY = {
  type: 'sales',
  start_date: '2026-01-01',
  end_date: '2026-01-31',
} as const;

const SHARED = {
  transaction_id: 481_516,
  program_id: 12,
  publisher_id: 345,
  support_id: 7,
  payment_id: 'P-2026-118',
  ip_address: '203.0.113.7',
  clickid: 'c0ffee',
  subid: 'newsletter',
  token: null,
  total: null,
  country: 'FR',
  device_type: 'mobile',
  device_os: 'Android',
  browser: 'Firefox',
  status: '1',
  status_label: 'Validated',
  validation_date: '2026-01-29 08:00:00',
  created_at: '2026-01-15 12:34:56',
  updated_at: '2026-01-29 08:00:00',
} as const;

/** Sorts the values in the order of the record. */
function inOrder<Reader extends Role>(role: Reader, values: Row<Reader>): Row<Reader> {
  const names = RECORD_FIELDS[role].map(({ name }) => name);
  const place = ([name]: readonly [string, unknown]): number => names.indexOf(name);
  const sorted = Object.entries(values).sort((one, other) => place(one) - place(other));
  return Object.fromEntries(sorted) as Row<Reader>;
}

/** The records of the response, by role. */
export const EXAMPLE_RECORDS: { readonly [role in Role]: readonly Row<role>[] } = {
  admin: [
    inOrder('admin', {
      ...SHARED,
      invoice_id: 'INV-2026-77',
      remu_program: 12.5,
      remu_publisher: 9.75,
      pid: 'spring',
      orderid: 90_210,
      userid: 4711,
      target: 'basket',
      amount: 149.9,
      coupon: 'WINTER10',
      share: 1,
      share_label: 'last click',
      first_click: '2026-01-12 09:00:00',
      last_click: '2026-01-15 12:30:01',
      first_referer: 'https://blog.example/shoes',
      last_referer: 'https://blog.example/boots',
      referer: 'https://blog.example/boots',
    }),
  ],
  affiliate: [inOrder('affiliate', { ...SHARED, remuneration: 9.75 })],
};

/** Example of the change feed: the sale of EXAMPLE_RECORDS, and the removal of another sale. */
export const exampleChanges = (role: Role) => [
  { change: 'put', type: 'sales', transaction: EXAMPLE_RECORDS[role][0] },
  { change: 'gone', type: 'sales', transaction_id: 481_517 },
];

/** The groupings of the example summary. Its other parameters are those of `EXAMPLE_QUERY`. */
export const EXAMPLE_GROUP_BY = 'day,status';

const GROUP_OF_BOTH = {
  day: '2026-01-15',
  status: '1',
  status_label: 'Validated',
  count: 1,
  total: 0,
} as const;

/** The groups of the summary, by role. */
export const EXAMPLE_GROUPS: {
  readonly [role in Role]: readonly Readonly<Record<string, string | number>>[];
} = {
  admin: [
    {
      ...GROUP_OF_BOTH,
      remu_program: 12.5,
      remu_publisher: 9.75,
      amount: 149.9,
      fingerprint: 'b9beb86028e3c0b0',
    },
  ],
  affiliate: [{ ...GROUP_OF_BOTH, remuneration: 9.75, fingerprint: '353a3a622766ef1f' }],
};

/** The grouping of the example of performance, which has the period of `EXAMPLE_QUERY`. */
export const EXAMPLE_PERFORMANCE_GROUP_BY = 'program_id';

const ACTIONS_OF_BOTH = {
  program_id: 12,
  impressions: 2000,
  clics: 40,
  dbclicks: 2,
  leads: 1,
  leads_refused: 0,
  leads_validated: 0,
  leads_pending: 1,
  sales: 1,
  sales_refused: 0,
  sales_validated: 1,
  sales_pending: 0,
} as const;

const RATES_OF_BOTH = {
  click_through_rate: 0.02,
  conversion_rate: 0.05,
  earnings_per_click: 0.34375,
  approval_rate: 1,
} as const;

/** The records of performance, by role. */
export const EXAMPLE_PERFORMANCE: typeof EXAMPLE_GROUPS = {
  admin: [
    {
      ...ACTIONS_OF_BOTH,
      amount: 149.9,
      amount_refused: 0,
      amount_validated: 149.9,
      amount_pending: 0,
      remu_program: 17.5,
      remu_program_refused: 0,
      remu_program_validated: 12.5,
      remu_program_pending: 5,
      remu_publisher: 13.75,
      remu_publisher_refused: 0,
      remu_publisher_validated: 9.75,
      remu_publisher_pending: 4,
      earnings: 13.75,
      ...RATES_OF_BOTH,
      average_order_value: 149.9,
    },
  ],
  affiliate: [
    {
      ...ACTIONS_OF_BOTH,
      remuneration: 13.75,
      remuneration_refused: 0,
      remuneration_validated: 9.75,
      remuneration_pending: 4,
      earnings: 13.75,
      ...RATES_OF_BOTH,
    },
  ],
};

/** The response of `GET /api/me` for the affiliate of the example. */
export const EXAMPLE_ME: Me = {
  name: 'Agency',
  role: 'affiliate',
  publisher_ids: [345],
  program_ids: 'all',
  locale: 'en',
  time_zone: 'Europe/Paris',
  currency: 'EUR',
  may_manage_tokens: false,
  expires_at: '2100-01-01T00:00:00.000Z',
  limits: {
    requests: { limit: 600, remaining: 599, window_seconds: 60, reset_seconds: 60 },
    downloads: { limit: 5, remaining: 5 },
  },
};

/** The entries of the directory for the program and the publisher of the example. */
export const EXAMPLE_ENTRIES = {
  programs: [
    {
      program_id: 12,
      name: 'Sports Direct',
      url: 'https://sports.example',
      status: 'active',
      category: 'sports',
    },
  ],
  publishers: [{ publisher_id: 345, name: 'Blog', url: null, status: null, category: null }],
} as const;

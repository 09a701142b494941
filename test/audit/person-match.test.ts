import { expect, test } from 'vitest';
import type { AddedWebhook, ReportDetails } from '../../src/audit/audit-events.ts';
import type { Question } from '../../src/audit/audit-question.ts';
import type { Person, PersonTransaction } from '../../src/audit/person.ts';
import { matchOf, webhookMatch } from '../../src/audit/person-match.ts';
import { valueHasher } from '../../src/audit/value-hash.ts';
import type { Role } from '../../src/contract/record/records.ts';

const hash = valueHasher(Buffer.from('key'));

const seconds = (date: string) => Date.parse(`${date}T12:00:00Z`) / 1000;

const SALE: PersonTransaction = {
  type: 'sales',
  transaction_id: '1',
  publisher_id: 345,
  programs: [12, 11],
  created: seconds('2026-01-15'),
  updated: seconds('2026-03-01'),
  orderid: '90210',
  clickid: 'c0ffee',
  subid: null,
  country: 'FR',
  device_type: 'mobile',
};

const QUESTION: Question = {
  report: 'list',
  types: ['sales'],
  start_date: '2026-01-01',
  end_date: '2026-01-31',
  date_field: 'created_at',
  program_ids: 'all',
  publisher_ids: 'all',
  filters: {},
  fields: null,
  group_by: [],
  order: 'asc',
  sort: null,
  compare: null,
  limit: null,
  is_later_page: false,
};

const DETAILS: ReportDetails = {
  question: QUESTION,
  format: 'json',
  outcome: 'complete',
  status: 200,
  code: null,
  rows: 1,
  bytes: 1,
  ms: 1,
};

interface Asked {
  readonly question?: Partial<Question>;
  readonly details?: Partial<ReportDetails>;
  readonly role?: Role;
  readonly at?: string;
  readonly person?: Person;
}

const SEARCH = {
  person: { key: 'ip', value: '198.51.100.7' },
  transactions: [SALE],
  timeZone: 'Europe/Paris',
  hash,
} as const;

const matchFor = ({ question, details, role = 'admin', at = '2026-04-01', person }: Asked) =>
  matchOf(
    {
      details: { ...DETAILS, question: { ...QUESTION, ...question }, ...details },
      role,
      at: new Date(at),
    },
    { ...SEARCH, person: person ?? SEARCH.person },
  );

test.each<[string, Asked]>([
  ['everything', {}],
  ['its website', { question: { publisher_ids: [1, 345] } }],
  ['its former program', { question: { program_ids: [11] } }],
  ['more programs than are kept', { question: { program_ids: 'many' } }],
  ['the field among others', { question: { fields: ['status', 'ip_address'] } }],
  [
    'other fields, sorted by the field',
    { question: { fields: ['transaction_id'], sort: '-ip_address' } },
  ],
  ['its country', { question: { filters: { country: ['FR'] } } }],
  ['its device', { question: { filters: { device_type: [hash('device_type', 'mobile')] } } }],
  ['its transaction', { question: { filters: { transaction_id: [hash('transaction_id', '1')] } } }],
  ['any status, as it may have had another one', { question: { filters: { status: ['0'] } } }],
  [
    'all but a status, as it may have had another one',
    { question: { filters: { exclude_status: ['2'] } } },
  ],
  ['all but another country', { question: { filters: { exclude_country: ['BE'] } } }],
  [
    'all but a sub id, which it does not have',
    { question: { filters: { exclude_subid: [hash('subid', 'x')] } } },
  ],
  ['all but one of its programs', { question: { filters: { exclude_program_id: ['12'] } } }],
  [
    'changes between its creation and its last change',
    { question: { date_field: 'updated_at', start_date: '2026-02-01', end_date: '2026-02-02' } },
  ],
  [
    'changes before its creation, as imports accept such dates',
    { question: { date_field: 'updated_at', start_date: '2025-12-01', end_date: '2025-12-31' } },
  ],
  [
    'rows validated before its creation, as imports accept such dates',
    {
      question: { date_field: 'validation_date', start_date: '2025-12-01', end_date: '2025-12-31' },
    },
  ],
  ['rows that were not counted', { details: { rows: null } }],
  ['a response that was cut', { details: { outcome: 'cut' } }],
  ['the affiliate’s record', { role: 'affiliate' }],
])('a request for %s could have received the row', (_, asked) => {
  expect(matchFor(asked)).toBe('could_have_received');
});

test.each<[string, Asked]>([
  ['another type', { question: { types: ['leads'] } }],
  ['another period', { question: { start_date: '2026-01-16' } }],
  ['another website', { question: { publisher_ids: [346] } }],
  ['another program', { question: { program_ids: [13] } }],
  ['other fields', { question: { fields: ['transaction_id'] } }],
  [
    'other fields, sorted by one of them',
    { question: { fields: ['transaction_id'], sort: 'transaction_id' } },
  ],
  ['another country', { question: { filters: { country: ['BE'] } } }],
  ['all but its country', { question: { filters: { exclude_country: ['BE', 'FR'] } } }],
  ['all but its order', { question: { filters: { exclude_orderid: [hash('orderid', '90210')] } } }],
  ['all but its website', { question: { filters: { exclude_publisher_id: ['345'] } } }],
  [
    'all but its present and former program',
    { question: { filters: { exclude_program_id: ['11', '12'] } } },
  ],
  ['another click', { question: { filters: { clickid: [hash('clickid', 'tea')] } } }],
  ['a sub id, which it does not have', { question: { filters: { subid: [hash('subid', 'x')] } } }],
  ['a summary', { question: { report: 'summary', group_by: ['country'] } }],
  [
    'changes after its last change',
    { question: { date_field: 'updated_at', start_date: '2026-03-02', end_date: '2026-03-03' } },
  ],
  ['rows that were refused', { details: { outcome: 'refused' } }],
  ['rows that the client already had', { details: { outcome: 'not_modified' } }],
  ['no rows', { details: { rows: 0 } }],
  ['rows at a time before it existed', { at: '2026-01-01' }],
  ['nothing valid', { details: { question: null } }],
  [
    'a field that affiliates cannot see',
    { role: 'affiliate', person: { key: 'orderid', value: '1' } },
  ],
])('a request for %s could not have received the row', (_, asked) => {
  expect(matchFor(asked)).toBeUndefined();
});

test('a request with a filter for the value counts as asked, even if it received nothing', () => {
  const person = { key: 'clickid', value: 'c0ffee' } as const;
  for (const name of ['clickid', 'exclude_clickid']) {
    const filters = { [name]: [hash('clickid', 'tea'), hash('clickid', 'c0ffee')] };
    expect(matchFor({ person, question: { filters }, details: { outcome: 'refused' } })).toBe(
      'asked',
    );
  }
});

const WEBHOOK: AddedWebhook = {
  user: null,
  webhook_id: 'wh_1',
  host: 'example.com',
  webhook_role: 'affiliate',
  publisher_ids: [345],
  program_ids: 'all',
  types: ['leads', 'sales'],
};

const webhookMatchFor = (
  webhook: Partial<AddedWebhook>,
  person: Person = SEARCH.person,
  removedAt = Number.POSITIVE_INFINITY,
) => webhookMatch({ ...WEBHOOK, ...webhook }, { ...SEARCH, person }, removedAt);

test('a webhook could have received the rows of its types, websites and programs, with the fields of its role', () => {
  expect(webhookMatchFor({})).toBe('could_have_received');
  expect(webhookMatchFor({ program_ids: [11] })).toBe('could_have_received');
  expect(webhookMatchFor({ program_ids: [13] })).toBeUndefined();
  expect(webhookMatchFor({ publisher_ids: [346] })).toBeUndefined();
  expect(webhookMatchFor({ types: ['leads'] })).toBeUndefined();
  const order = { key: 'orderid', value: '90210' } as const;
  expect(webhookMatchFor({}, order)).toBeUndefined();
  expect(webhookMatchFor({ webhook_role: 'admin' }, order)).toBe('could_have_received');
});

test('a webhook could not have received rows that were created after it was removed', () => {
  const removedOn = (date: string) => webhookMatchFor({}, SEARCH.person, Date.parse(date));
  expect(removedOn('2026-01-14')).toBeUndefined();
  expect(removedOn('2026-01-16')).toBe('could_have_received');
});

test('changes show every field, as lists do', () => {
  const question = { report: 'changes', start_date: null, end_date: null } as const;
  expect(matchFor({ question })).toBe('could_have_received');
});

test('performance could have received transactions of the period that it is compared with', () => {
  const person = { key: 'subid', value: 'x' } as const;
  const february = { start_date: '2026-02-01', end_date: '2026-02-28' };
  const question: Partial<Question> = { report: 'performance', group_by: ['subid'], ...february };
  expect(matchFor({ person, question })).toBeUndefined();
  const compared = { ...question, compare: 'previous' } as const;
  expect(matchFor({ person, question: compared })).toBe('could_have_received');
});

test.each(['summary', 'performance'] as const)('a %s by sub ids shows sub ids', (report) => {
  const person = { key: 'subid', value: 'x' } as const;
  const question = { report, group_by: ['subid'] } as const;
  expect(matchFor({ person, question: { ...question, group_by: ['subid'] } })).toBe(
    'could_have_received',
  );
});

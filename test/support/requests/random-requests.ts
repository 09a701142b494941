/** Random queries over random transactions, and the expected rows by plain filtering and sorting. */

import type { Principal } from '../../../src/auth/principal.ts';
import {
  FILTER_PARAMETERS,
  FILTERS,
  type FilteredField,
  type FilterName,
  filteredField,
  isExclusion,
} from '../../../src/contract/query/filters/filters.ts';
import {
  DATE_FIELDS,
  type DateField,
  ORDERS,
  type Order,
} from '../../../src/contract/query/parameters.ts';
import { KINDS, type Kind } from '../../../src/contract/record/kinds.ts';
import { STATUS_TEXTS } from '../../../src/contract/record/statuses.ts';
import { localTimeAt } from '../../contract/wall-clock.ts';
import {
  COUNTRIES,
  DAYS,
  DEVICES,
  NEAR_DAYS,
  ORDER_IDS,
  PROGRAMS,
  PUBLISHERS,
  type RandomTransaction,
  TEXTS,
} from '../rows/random/random-transactions.ts';
import { fc } from '../run/properties.ts';

/** The token contains its principal. */
export const tokenOf = (principal: Principal): string =>
  `e30.${Buffer.from(JSON.stringify(principal)).toString('base64url')}.x`;

export async function verifyJwt(jwt: string): Promise<Principal> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
}

const principals: fc.Arbitrary<Principal> = fc.oneof(
  fc.record({
    id: fc.constant('an admin'),
    role: fc.constant('admin' as const),
    publisherIds: fc.constant('all' as const),
    programIds: fc.oneof(fc.constant('all' as const), fc.subarray([...PROGRAMS])),
  }),
  fc.record({
    id: fc.constant('an affiliate'),
    role: fc.constant('affiliate' as const),
    publisherIds: fc.subarray([...PUBLISHERS, 999]),
    programIds: fc.oneof(fc.constant('all' as const), fc.subarray([...PROGRAMS])),
  }),
);

/** One of the days, or the day before or after it. */
const datesOf = (days: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...days), fc.integer({ min: -1, max: 1 }))
    .map(([day, shift]) =>
      new Date(Date.parse(day) + shift * 86_400_000).toISOString().slice(0, 10),
    );

type Period = readonly [string, string];

const dayOf = datesOf(DAYS).map((date): Period => [date, date]);
const betweenTwo = (days: readonly string[]) =>
  fc
    .tuple(datesOf(days), datesOf(days))
    .map(([one, other]): Period => (one < other ? [one, other] : [other, one]));

/** All days that can be stored, and days after the last one. */
export const EVER: Period = ['1970-01-01', '2106-12-31'];
/** The years of most random transactions. */
export const FEW_YEARS: Period = ['2023-01-01', '2026-12-31'];

/** Values that few queries have, so that most responses have records. */
const seldom = <Value>(values: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
const sometimes = <Value>(values: fc.Arbitrary<Value>) =>
  fc.option(values, { freq: 2, nil: undefined });
const some = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1 });

/** So many identifiers that some exist: half of the transactions have one of at most 5000. */
const identifiers = fc
  .record({ first: fc.nat(4500), count: fc.integer({ min: 1, max: 500 }) })
  .map(({ first, count }) => Array.from({ length: count }, (_, at) => first + at));

type Values = readonly (string | number)[];

/** Values for every field that can be filtered by. */
const FIELD_VALUES: { readonly [Field in FilteredField]: fc.Arbitrary<Values> } = {
  program_id: some([...PROGRAMS, 998]),
  publisher_id: some([...PUBLISHERS, 999]),
  status: some(STATUS_TEXTS),
  transaction_id: identifiers,
  orderid: some([...ORDER_IDS, 997]),
  clickid: some([...TEXTS, 'nobody’s']),
  subid: some(TEXTS),
  country: some([...COUNTRIES, 'ES']),
  device_type: some(DEVICES),
};

type RandomFilters = { readonly [Name in FilterName]?: Values | undefined };

const filters: fc.Arbitrary<RandomFilters> = fc.record(
  Object.fromEntries(FILTERS.map((name) => [name, seldom(FIELD_VALUES[filteredField(name)])])),
);

export interface RandomRequest extends RandomFilters {
  readonly principal: Principal;
  readonly type: Kind;
  readonly period: Period;
  readonly date_field?: DateField | undefined;
  readonly order?: Order | undefined;
  readonly program_id?: readonly number[] | undefined;
  readonly publisher_id?: readonly number[] | undefined;
}

const monthOf = datesOf(DAYS).map((date): Period => {
  const [year, month] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).toISOString().slice(0, 10);
  return [`${date.slice(0, 8)}01`, last];
});

const PERIODS = {
  day: dayOf,
  month: monthOf,
  years: fc.oneof(betweenTwo(NEAR_DAYS), fc.constant(FEW_YEARS)),
  century: fc.oneof(betweenTwo(DAYS), fc.constant(EVER)),
} as const satisfies Record<string, fc.Arbitrary<Period>>;

/** How often each length of a period is requested, relative to the others. */
type PeriodWeights = Readonly<Record<keyof typeof PERIODS, number>>;

const periodsOf = (weights: PeriodWeights): fc.Arbitrary<Period> =>
  fc.oneof(
    { weight: weights.day, arbitrary: PERIODS.day },
    { weight: weights.month, arbitrary: PERIODS.month },
    { weight: weights.years, arbitrary: PERIODS.years },
    { weight: weights.century, arbitrary: PERIODS.century },
  );

const questionsOf = (weights: PeriodWeights): fc.Arbitrary<RandomRequest> =>
  fc.record({
    principal: principals,
    type: fc.constantFrom(...KINDS),
    period: periodsOf(weights),
    date_field: sometimes(fc.constantFrom(...DATE_FIELDS)),
    order: sometimes(fc.constantFrom(...ORDERS)),
    program_id: seldom(some([...PROGRAMS, 998])),
    publisher_id: seldom(some([...PUBLISHERS, 999])),
  });

/** Requests with random filters, reduced to those that the principal's role has. */
export const requestsOf = (weights: PeriodWeights): fc.Arbitrary<RandomRequest> =>
  fc.tuple(questionsOf(weights), filters).map(([request, chosen]) => {
    const isOfRole = ([name]: [string, unknown]) =>
      FILTERS.some(
        (filter) =>
          filter === name && FILTER_PARAMETERS[filter].roles.includes(request.principal.role),
      );
    return { ...request, ...Object.fromEntries(Object.entries(chosen).filter(isOfRole)) };
  });

export const randomRequests = requestsOf({ day: 6, month: 3, years: 7, century: 2 });

/** The request without some of its filters. */
export const withoutFilters = (
  request: RandomRequest,
  names: readonly FilterName[],
): RandomRequest => ({ ...request, ...Object.fromEntries(names.map((name) => [name, undefined])) });

const isIn = (scope: Principal['programIds'], identifier: number): boolean =>
  scope === 'all' || scope.includes(identifier);

/** Whether the principal may see what the query selects. */
export const isAllowed = ({ principal, program_id, publisher_id }: RandomRequest): boolean =>
  (program_id ?? []).every((program) => isIn(principal.programIds, program)) &&
  (publisher_id ?? []).every((publisher) => isIn(principal.publisherIds, publisher));

const isRepeated = (name: string): boolean =>
  FILTERS.some((filter) => filter === name && FILTER_PARAMETERS[filter].repeats);

/** The query as the path of a request; `more` are additional parameters. */
export function pathOf(
  request: RandomRequest,
  more: Readonly<Record<string, string>> = {},
): string {
  const { principal, period, ...parameters } = request;
  const [start_date = '', end_date = ''] = period;
  const query = new URLSearchParams({ start_date, end_date, ...more });
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    const texts = isRepeated(name) ? [value].flat().map(String) : [[value].flat().join(',')];
    for (const text of texts) query.append(name, text);
  }
  return `/api/${principal.role}/transactions?${query}`;
}

const dateOf = (row: RandomTransaction, field: DateField): number | null =>
  ({ created_at: row.instant, updated_at: row.updated, validation_date: row.validated })[field];

const isAmong = <Value>(asked: readonly Value[] | undefined, value: Value): boolean =>
  asked === undefined || asked.includes(value);

/** Whether a filter keeps a row. An exclusion keeps rows without a value. */
function passes(name: FilterName, request: RandomRequest, row: RandomTransaction): boolean {
  const asked = request[name];
  const value = row[filteredField(name)];
  const isNamed = asked?.map(String).includes(String(value ?? ''));
  return asked === undefined || isNamed !== isExclusion(name);
}

/** The transactions that the query selects, in the order of the response. */
export function expectedRows(
  request: RandomRequest,
  rows: readonly RandomTransaction[],
  zone: string,
): readonly RandomTransaction[] {
  const { principal, period, date_field = 'created_at', order = 'asc' } = request;
  const [first = '', last = ''] = period;
  const found = rows.flatMap((row) => {
    const date = dateOf(row, date_field);
    const day = date === null ? '' : localTimeAt(zone, date).slice(0, 10);
    const isMeant =
      date !== null &&
      row.type === request.type &&
      day >= first &&
      day <= last &&
      isAmong(request.program_id, row.program_id) &&
      isAmong(request.publisher_id, row.publisher_id) &&
      FILTERS.every((name) => passes(name, request, row)) &&
      isIn(principal.programIds, row.program_id) &&
      isIn(principal.publisherIds, row.publisher_id);
    return isMeant ? [{ row, date }] : [];
  });
  const sorted = found.sort(
    (a, b) => a.date - b.date || a.row.transaction_id - b.row.transaction_id,
  );
  return (order === 'asc' ? sorted : sorted.reverse()).map(({ row }) => row);
}

/** A query with many records, in addition to the random ones. */
export const ALL_SALES: RandomRequest = {
  principal: { id: 'an admin', role: 'admin', publisherIds: 'all', programIds: 'all' },
  type: 'sales',
  period: EVER,
};

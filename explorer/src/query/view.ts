/** The view: the query and display options as the address bar holds them, without the token. */

import { DATE_FIELDS, type DateField, type Order } from '../../../src/contract/query/parameters.ts';
import { listSorts } from '../../../src/contract/query/sorting/list-sorts.ts';
import { readIdentifier } from '../../../src/contract/record/identifier.ts';
import { isKind, type Kind } from '../../../src/contract/record/kinds.ts';
import { ROLES, type Role } from '../../../src/contract/record/records.ts';
import { COUNT, summedFields } from '../../../src/contract/record/summary.ts';
import { type TableSort, tableSorts } from '../performance/table/columns.ts';
import { type TabName, tabsOf } from '../performance/table/tabs.ts';
import { type ApiQuery, urlParameters } from './api-query.ts';
import { COMPARISON_CHOICES, type ComparisonChoice } from './comparisons.ts';
import {
  FILTER_NAMES,
  type Filters,
  filtersOf,
  isRepeated,
  isValid,
  textOf,
  valuesOf,
} from './filters.ts';
import { GRANULARITIES, type Granularity } from './granularity.ts';
import { isPreset, type Period, type Preset, periodFrom, periodOf } from './periods.ts';

export interface View {
  readonly kind: Kind;
  /** A named period, which stays relative in bookmarks, or fixed dates. */
  readonly period: Preset | Period;
  readonly compare: ComparisonChoice;
  readonly dateField: DateField;
  readonly filters: Filters;
  readonly order: Order;
  /** The order of the list, as a value of the API's parameter `sort`; undefined for the order by date. */
  readonly listSort?: string | undefined;
  /** The tab of the performance table, its order, and whether it is opened in full. */
  readonly table: TabName;
  readonly sort: TableSort;
  readonly isFull: boolean;
  /** The measure of the charts; undefined for the first one. */
  readonly measure?: string | undefined;
  /** The time buckets of the chart; undefined for the default of the period's length. */
  readonly granularity?: Granularity | undefined;
  /** The opened transaction, of the kind of the view; undefined without one. */
  readonly row?: string | undefined;
}

export const DEFAULT_VIEW: View = {
  kind: 'sales',
  period: 'last-30-days',
  compare: 'previous',
  dateField: 'created_at',
  filters: {},
  order: 'desc',
  table: 'program_id',
  sort: '-earnings',
  isFull: false,
};

const measuresOf = (role: Role): readonly string[] => [
  COUNT.name,
  ...summedFields(role).map(({ name }) => name),
];

/** Parses the query string of an address. Ignores invalid parts, and those that none of the roles has. */
export function readView(search: string, roles: readonly Role[] = ROLES): View {
  const given = new URLSearchParams(search);
  const kind = given.get('type') ?? '';
  const known = new Set(roles.flatMap(filtersOf));
  const filters = FILTER_NAMES.filter((name) => known.has(name)).flatMap((name) => {
    const text = isRepeated(name) ? textOf(name, given.getAll(name)) : (given.get(name) ?? '');
    return isValid(name, text) ? [[name, text] as const] : [];
  });
  return {
    kind: isKind(kind) ? kind : DEFAULT_VIEW.kind,
    period: readPeriod(given),
    compare:
      COMPARISON_CHOICES.find((choice) => choice === given.get('compare')) ?? DEFAULT_VIEW.compare,
    dateField:
      DATE_FIELDS.find((name) => name === given.get('date_field')) ?? DEFAULT_VIEW.dateField,
    filters: Object.fromEntries(filters),
    order: given.get('order') === 'asc' ? 'asc' : 'desc',
    listSort: roles.flatMap(listSorts).find((sort) => sort === given.get('list_sort')),
    table: readTab(given.get('table'), roles),
    sort: roles.flatMap(tableSorts).find((sort) => sort === given.get('sort')) ?? DEFAULT_VIEW.sort,
    isFull: given.get('full') === 'true',
    measure: roles.flatMap(measuresOf).find((name) => name === given.get('measure')),
    granularity: GRANULARITIES.find((name) => name === given.get('granularity')),
    row: readRow(given.get('row') ?? ''),
  };
}

const readTab = (text: string | null, roles: readonly Role[]): TabName =>
  roles.flatMap(tabsOf).find(({ grouping }) => grouping === text)?.grouping ?? DEFAULT_VIEW.table;

const readRow = (text: string): string | undefined =>
  readIdentifier(text) === undefined ? undefined : text;

function readPeriod(given: URLSearchParams): Preset | Period {
  const days = periodFrom(given.get('start_date') ?? '', given.get('end_date') ?? '');
  if (days !== undefined) return days;
  const preset = given.get('period') ?? '';
  return isPreset(preset) ? preset : DEFAULT_VIEW.period;
}

/** The parameters of a view in the address. */
function partsOf(view: View): ApiQuery {
  const { kind, period, compare, dateField, filters, order, table, sort, isFull } = view;
  const { listSort, measure, granularity, row } = view;
  return {
    type: kind,
    ...(typeof period === 'string'
      ? { period }
      : { start_date: period.start, end_date: period.end }),
    compare,
    date_field: dateField,
    ...filters,
    order,
    ...(listSort === undefined ? {} : { list_sort: listSort }),
    table,
    sort,
    ...(isFull ? { full: 'true' } : {}),
    ...(measure === undefined ? {} : { measure }),
    ...(granularity === undefined ? {} : { granularity }),
    ...(row === undefined ? {} : { row }),
  };
}

/** Values that the address omits. */
const OMITTED: ApiQuery = {
  compare: DEFAULT_VIEW.compare,
  date_field: DEFAULT_VIEW.dateField,
  order: DEFAULT_VIEW.order,
  table: DEFAULT_VIEW.table,
  sort: DEFAULT_VIEW.sort,
};

/** The query string of a view, with its `?`. */
export function locationSearchOf(view: View): string {
  const parameters = Object.entries(partsOf(view)).filter(([name, text]) => OMITTED[name] !== text);
  const pairs = urlParameters(Object.fromEntries(parameters));
  return `?${new URLSearchParams(pairs).toString().replaceAll('%2C', ',')}`;
}

/** A parameter in the URL of the page. */
export interface UrlParameter {
  readonly name: string;
  readonly text: string;
}

// biome-ignore format: one line
const NAMES = ['type', 'period', 'start_date', 'end_date', 'compare', 'date_field', ...FILTER_NAMES, 'order', 'list_sort', 'table', 'sort', 'full', 'measure', 'granularity', 'row'];

/** The ignored parts of an address: invalid, contradictory or repeated ones. */
export function ignoredPartsOf(
  search: string,
  roles: readonly Role[] = ROLES,
): readonly UrlParameter[] {
  const read = partsOf(readView(search, roles));
  const given = new URLSearchParams(search);
  return NAMES.flatMap((name) =>
    [...new Set(given.getAll(name))]
      .filter((text) => text !== '' && !isRead(name, text, read[name] ?? ''))
      .map((text) => ({ name, text })),
  );
}

/** Whether a value in the URL was read, as the whole value of its parameter or as one of a list. */
const isRead = (name: string, text: string, read: string): boolean =>
  isRepeated(name) ? valuesOf(name, read).includes(text) : text === read;

export const periodOfView = ({ period }: View, timeZone: string): Period =>
  typeof period === 'string' ? periodOf(period, timeZone) : period;

/** The API parameters of a view. */
export function apiQueryOf({ kind, dateField, filters }: View, { start, end }: Period): ApiQuery {
  const date = dateField === DEFAULT_VIEW.dateField ? {} : { date_field: dateField };
  return { type: kind, start_date: start, end_date: end, ...date, ...filters };
}

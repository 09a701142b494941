/** Plans a list: combines a query with what the principal may read. */

import { mayRead, type Principal, type Scope } from '../auth/principal.ts';
import { Problem } from '../contract/problems/problems.ts';
import {
  FILTERS,
  type FilteredField,
  filteredField,
  isExclusion,
} from '../contract/query/filters/filters.ts';
import type { DateField, Order } from '../contract/query/parameters.ts';
import type { ListQuery } from '../contract/query/query.ts';
import { type Sort, sortOf } from '../contract/query/sorting/sort.ts';
import { choosableFields } from '../contract/record/directory.ts';
import type { Kind } from '../contract/record/kinds.ts';
import type { Locale } from '../contract/record/labels.ts';
import { RECORD_FIELDS, type RecordField, type Role } from '../contract/record/records.ts';
import { shortList } from '../contract/short-list.ts';
import { cachedStartOfDay } from './day-start.ts';
import type { Form } from './form.ts';
import type { KeysetPosition } from './keyset-position.ts';

/** Selects records whose field has one of the values, or excludes them. */
export interface Filter {
  readonly field: FilteredField;
  readonly values: readonly number[] | readonly string[];
  /** Records without a value are kept. */
  readonly excludes?: true;
}

/** Which records a report selects. */
export interface Selection {
  readonly role: Role;
  /** The date that the period refers to. */
  readonly dateField: DateField;
  /** The period in seconds since 1970 (UTC). It includes `from` and excludes `until`. */
  readonly from: number;
  readonly until: number;
  readonly programIds: Scope;
  readonly publisherIds: Scope;
  readonly filters: readonly Filter[];
}

/** How the records of a response are written. */
export interface Presentation {
  readonly role: Role;
  /** The fields of each record, in order. */
  readonly fields: readonly RecordField[];
  readonly form: Form;
  readonly locale: Locale;
}

export interface ListPlan extends Selection, Presentation {
  readonly kind: Kind;
  readonly order: Order;
  /** Takes precedence over the order by date. */
  readonly sort?: Sort;
  /** The number of records of a sorted list that are skipped. */
  readonly offset?: number;
  /** The maximum number of records. */
  readonly limit?: number;
  /** Only records after this one. */
  readonly after?: KeysetPosition;
  /** Only records up to this one. */
  readonly through?: KeysetPosition;
}

/** What a plan needs besides the query and the principal. */
export interface PlanContext {
  /** The platform's time zone. */
  readonly timeZone: string;
  /** The language of the labels. */
  readonly locale: Locale;
  /** JSON by default. */
  readonly form?: Form | undefined;
  /** The end of the previous page. */
  readonly after?: KeysetPosition | undefined;
}

/** Plans a list. Throws a Problem if the query requests what the principal may not read. */
export function planList(query: ListQuery, principal: Principal, context: PlanContext): ListPlan {
  const { fields, limit, offset = 0 } = query;
  const { after } = context;
  const record = RECORD_FIELDS[principal.role];
  return Object.freeze({
    ...selectionOf(query, principal, context.timeZone),
    kind: query.type,
    ...listOrderOf(query),
    fields: fields === undefined ? record : fieldsNamed(fields, principal.role),
    form: context.form ?? 'json',
    locale: context.locale,
    ...(limit === undefined ? {} : { limit }),
    ...(offset === 0 ? {} : { offset }),
    ...(after === undefined ? {} : { after }),
  });
}

/** The order of a list. If possible, a sort by the date of the period becomes `order`, which is faster. */
export function listOrderOf({
  order,
  sort,
  offset = 0,
  date_field = 'created_at',
}: ListQuery): Pick<ListPlan, 'order' | 'sort'> {
  if (sort === undefined) return { order: order ?? 'asc' };
  const sorted = sortOf(sort);
  if (sorted.by !== date_field) return { order: order ?? 'asc', sort: sorted };
  const direction = sorted.isDescending ? 'desc' : 'asc';
  const ordered = order ?? direction;
  // `order` alone is not enough with an offset, which only lists with `sort` support, or if `sort` has the opposite
  // direction: `order` then applies only to records with equal dates.
  const isUsual = ordered === direction && offset === 0;
  return { order: ordered, ...(isUsual ? {} : { sort: sorted }) };
}

/** The records that the query selects and the principal may read. */
export function selectionOf(
  query: Omit<ListQuery, 'type'>,
  principal: Principal,
  timeZone: string,
): Selection {
  return {
    role: principal.role,
    dateField: query.date_field ?? 'created_at',
    from: cachedStartOfDay(query.start_date, timeZone),
    until: cachedStartOfDay(query.end_date, timeZone, 1),
    ...scopesOf(query, principal),
    filters: FILTERS.flatMap((name) => {
      const values = query[name];
      if (values === undefined) return [];
      const excludes = isExclusion(name) ? { excludes: true as const } : {};
      return [{ field: filteredField(name), values, ...excludes }];
    }),
  };
}

/** What the principal may read, narrowed by the query. */
export const scopesOf = (
  query: Pick<ListQuery, 'program_id' | 'publisher_id'>,
  principal: Principal,
): Pick<Selection, 'programIds' | 'publisherIds'> => ({
  programIds: narrowed(principal.programIds, query.program_id, 'program'),
  publisherIds: narrowed(principal.publisherIds, query.publisher_id, 'publisher'),
});

function narrowed(
  allowed: Scope,
  wanted: readonly number[] | undefined,
  what: 'program' | 'publisher',
): Scope {
  if (wanted === undefined) return allowed;
  const own = wanted.filter((identifier) => mayRead(allowed, identifier));
  if (own.length === wanted.length) return wanted;
  // A response never names an identifier that the token cannot read, so the hint names the allowed ones.
  const hint =
    own.length === 0
      ? 'The path …/api/me lists what the token may read.'
      : `Of these values, the token may read only ${shortList(own)}.`;
  throw new Problem(`${what}_forbidden`, { hint });
}

function fieldsNamed(names: readonly string[], role: Role): readonly RecordField[] {
  const known = choosableFields(role);
  return names.flatMap((name) => known.filter((field) => field.name === name));
}

/** Whether some of the fields are names from the directory. */
export const hasNames = ({ fields }: Pick<Presentation, 'fields'>): boolean =>
  fields.some(({ field }) => field.nameOf !== undefined);

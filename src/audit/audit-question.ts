/** Question: the normalized query of a report for the audit log, without values that may identify a person. */

import * as v from 'valibot';
import type { Principal, Scope } from '../auth/principal.ts';
import { COMPARISON_NAMES } from '../contract/query/compared-period.ts';
import { FILTERS, type FilterName, filteredField } from '../contract/query/filters/filters.ts';
import { GROUPINGS } from '../contract/query/groupings.ts';
import { DATE_FIELDS, ORDERS } from '../contract/query/parameters.ts';
import type {
  ChangesQuery,
  DirectoryQuery,
  ListQuery,
  PerformanceQuery,
  SummaryQuery,
} from '../contract/query/query.ts';
import { LISTED_DIRECTORIES, type ListedDirectory } from '../contract/record/directory.ts';
import { KINDS } from '../contract/record/kinds.ts';
import { listOrderOf } from '../plan/list-plan.ts';
import { auditedValue, type HashValue } from './value-hash.ts';

/** Identifiers; `many` if there are too many to keep. */
export const AUDITED_SCOPE = v.union([v.literal('all'), v.literal('many'), v.array(v.number())]);

export type AuditedScope = v.InferOutput<typeof AUDITED_SCOPE>;

/** Values as text, or their hashes; `many` if there are too many to keep. */
const VALUES = v.union([v.literal('many'), v.array(v.string())]);

export const QUESTION = v.object({
  report: v.picklist(['list', 'summary', 'performance', 'changes', ...LISTED_DIRECTORIES]),
  types: v.array(v.picklist(KINDS)),
  /** Null for changes and for lists of programs or publishers, which have no period. */
  start_date: v.nullable(v.string()),
  end_date: v.nullable(v.string()),
  date_field: v.picklist(DATE_FIELDS),
  /** What the token may read, narrowed by the request. */
  program_ids: AUDITED_SCOPE,
  publisher_ids: AUDITED_SCOPE,
  filters: v.record(v.string(), VALUES),
  /** The fields that a list was asked for; null for all fields of the role. Null in all other reports. */
  fields: v.nullable(v.array(v.string())),
  group_by: v.array(v.picklist(GROUPINGS)),
  order: v.nullable(v.picklist(ORDERS)),
  /** What a list or performance is sorted by. Lines of older versions do not have it. */
  sort: v.optional(v.nullable(v.string()), null),
  /** What the period is compared with. */
  compare: v.optional(v.nullable(v.picklist(COMPARISON_NAMES)), null),
  limit: v.nullable(v.number()),
  /** Whether a cursor, an offset or a position in the change feed was sent. Its value is not kept. */
  is_later_page: v.boolean(),
});

export type Question = Readonly<v.InferOutput<typeof QUESTION>>;

/** The greatest number of identifiers or values that a line keeps, so that lines stay short. */
export const MAX_VALUES = 200;

/** The question of a list. */
export const listQuestion = (
  query: ListQuery,
  principal: Principal,
  hash: HashValue,
): Question => ({
  report: 'list',
  types: [query.type],
  ...selectionOf(query, principal, hash),
  fields: query.fields === undefined ? null : [...query.fields],
  group_by: [],
  order: listOrderOf(query).order,
  sort: query.sort ?? null,
  compare: null,
  limit: query.limit ?? null,
  is_later_page: query.cursor !== undefined || (query.offset ?? 0) > 0,
});

/** The question of a summary. */
export const summaryQuestion = (
  query: SummaryQuery,
  principal: Principal,
  hash: HashValue,
): Question => ({
  report: 'summary',
  types: [...query.type],
  ...selectionOf(query, principal, hash),
  fields: null,
  group_by: [...(query.group_by ?? [])],
  order: null,
  sort: null,
  compare: null,
  limit: null,
  is_later_page: false,
});

/** The question of performance, which reads all types. */
export const performanceQuestion = (
  query: PerformanceQuery,
  principal: Principal,
  hash: HashValue,
): Question => ({
  report: 'performance',
  types: [...KINDS],
  ...selectionOf(query, principal, hash),
  fields: null,
  group_by: [...(query.group_by ?? [])],
  order: null,
  sort: query.sort ?? null,
  compare: query.compare ?? null,
  limit: query.limit ?? null,
  is_later_page: (query.offset ?? 0) > 0,
});

/** The question of a list of programs or publishers, which has no period. The search text is not kept. */
export const directoryQuestion = (
  of: ListedDirectory,
  query: DirectoryQuery,
  principal: Principal,
): Question => ({
  report: of,
  types: [],
  start_date: null,
  end_date: null,
  date_field: 'created_at',
  program_ids: auditedScope(principal.programIds),
  publisher_ids: auditedScope(principal.publisherIds),
  filters: {},
  fields: null,
  group_by: [],
  order: null,
  sort: null,
  compare: null,
  limit: query.limit ?? null,
  is_later_page: query.cursor !== undefined,
});

/** The question of a page of changes. */
export const changesQuestion = (query: ChangesQuery, principal: Principal): Question => ({
  report: 'changes',
  types: [...query.type],
  start_date: null,
  end_date: null,
  date_field: 'created_at',
  program_ids: auditedScope(query.program_id ?? principal.programIds),
  publisher_ids: auditedScope(query.publisher_id ?? principal.publisherIds),
  filters: {},
  fields: null,
  group_by: [],
  order: null,
  sort: null,
  compare: null,
  limit: query.limit ?? null,
  is_later_page: query.after !== undefined,
});

const selectionOf = (
  query: Omit<SummaryQuery, 'type' | 'format'>,
  principal: Principal,
  hash: HashValue,
) => ({
  start_date: query.start_date,
  end_date: query.end_date,
  date_field: query.date_field ?? 'created_at',
  program_ids: auditedScope(query.program_id ?? principal.programIds),
  publisher_ids: auditedScope(query.publisher_id ?? principal.publisherIds),
  filters: auditedFilters(query, hash),
});

export const auditedScope = (scope: Scope): AuditedScope =>
  scope === 'all' ? 'all' : scope.length > MAX_VALUES ? 'many' : [...scope];

/** How an erasure finds its transactions. Of a longer list of values, only the first ones are kept. */
export const auditedSelectors = (
  selectors: readonly { readonly field: string; readonly values: readonly string[] }[],
  hash: HashValue,
) =>
  selectors.map(({ field, values }) => ({
    field,
    values: values.slice(0, MAX_VALUES).map((value) => hash(field, value)),
  }));

const auditedFilters = (query: Pick<SummaryQuery, FilterName>, hash: HashValue) =>
  Object.fromEntries(
    FILTERS.flatMap((name) => {
      const values = query[name];
      return values === undefined ? [] : [[name, auditedValues(name, values, hash)]];
    }),
  );

function auditedValues(
  name: FilterName,
  values: readonly (string | number)[],
  hash: HashValue,
): 'many' | string[] {
  if (values.length > MAX_VALUES) return 'many';
  return values.map((value) => auditedValue(filteredField(name), String(value), hash));
}

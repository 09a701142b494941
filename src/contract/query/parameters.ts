/** The tables of query parameters: the meaning, schema and parser of each. */

import { PACKED_LISTS_PATTERN } from '../id-lists.ts';
import { choosableFields } from '../record/directory.ts';
import { KINDS } from '../record/kinds.ts';
import type { Role } from '../record/records.ts';
import { FILTER_PARAMETERS } from './filters/filters.ts';
import {
  CSV_VARIANT_NAMES,
  CSV_VARIANTS,
  FORMAT_HINTS,
  FORMAT_NAMES,
  TEXT_FORMATS,
} from './formats.ts';
import { groupingsOf, MAX_GROUPINGS } from './groupings.ts';
import {
  arraySchema,
  DATE_SCHEMA as date,
  integerSchema,
  type Schema,
  sequenceSchema,
  wordSchema,
} from './parameter-schemas.ts';
import {
  CURSOR_PATTERN,
  readBoolean,
  readCursor,
  readDate,
  readInteger,
  readOneOf,
  readPackedLists,
  readSequence,
  readSomeOf,
} from './parameter-values.ts';
import { listSorts, readListSort } from './sorting/list-sorts.ts';
import { MAX_SORTED_BYTES } from './sorting/sorted-bytes.ts';

export interface Parameter<Value> {
  readonly required?: true;
  readonly meaning: string;
  readonly example: string;
  /** JSON Schema of the value. It may depend on the fields of the role. */
  readonly schema: Schema | ((role: Role) => Schema);
  /** A comma is part of a value, so several values need a repeated parameter. */
  readonly repeats?: boolean;
  /** The roles that have it. By default all. */
  readonly roles?: readonly Role[];
  /** Parses the text, which is not empty. Throws an InvalidValue. */
  readonly read: (text: string, role: Role) => Value;
}

/** The dates that a period can refer to. */
export const DATE_FIELDS = ['created_at', 'updated_at', 'validation_date'] as const;

export type DateField = (typeof DATE_FIELDS)[number];

export const ORDERS = ['asc', 'desc'] as const;

export type Order = (typeof ORDERS)[number];

/** The maximum of `limit`. */
export const MAX_PAGE_SIZE = 10_000;

/** The maximum of `offset`. */
export const MAX_OFFSET = 100_000_000;

export const CSV_PARAMETER = {
  meaning: `CSV for spreadsheets, in which no text runs as a formula. ${CSV_VARIANT_NAMES.map((name) => `${name}: ${CSV_VARIANTS[name].meaning}`).join('; ')}`,
  example: 'excel',
  schema: wordSchema(CSV_VARIANT_NAMES),
  read: readOneOf(CSV_VARIANT_NAMES),
} as const;

/** The parameter `id_lists`, which links to further pages have. */
export const ID_LISTS_PARAMETER = {
  meaning:
    'Compact form of long lists of identifiers, which replaces them in the link rel="next". Follow the link; do not make this value yourself',
  example: 'program_id.MC~publisher_id.ZrB',
  schema: { type: 'string', pattern: PACKED_LISTS_PATTERN.source },
  read: readPackedLists,
} as const satisfies Parameter<string>;

const choosableNames = (role: Role): readonly string[] =>
  choosableFields(role).map(({ name }) => name);

/** Parameters of both lists and summaries. Performance takes some of them. */
// biome-ignore format: one parameter a line
export const SHARED_PARAMETERS = {
  start_date: { required: true, meaning: "First day of the period, in the platform's time zone", example: '2026-01-01', schema: date, read: readDate },
  end_date: { required: true, meaning: "Last day of the period, included, in the platform's time zone", example: '2026-01-31', schema: date, read: readDate },
  date_field: { meaning: 'The date that the period refers to, by default created_at, which never changes. With another date, a record that changes during a download gets a later date: it may appear twice in ascending order and be missing in descending order', example: 'updated_at', schema: wordSchema(DATE_FIELDS), read: readOneOf(DATE_FIELDS) },
  ...FILTER_PARAMETERS,
} as const satisfies Record<string, Parameter<unknown>>;

/** Parameters of lists. */
// biome-ignore format: one parameter a line
export const LIST_PARAMETERS = {
  type: { required: true, meaning: 'Type of the transactions', example: 'sales', schema: wordSchema(KINDS), read: readOneOf(KINDS) },
  ...SHARED_PARAMETERS,
  order: { meaning: 'Sort order: asc (oldest first, the default) or desc. Records are sorted by the date that date_field names, then by transaction_id; with sort, this is the order of records with equal values. If sort names that date, the default is the direction of sort', example: 'desc', schema: wordSchema(ORDERS), read: readOneOf(ORDERS) },
  sort: { meaning: `Sorts by a field of the record, in descending order with \`-\` before it. Needs limit. Null is last. Records with equal values are sorted by date and transaction_id, in the direction of order. Only the first ${MAX_SORTED_BYTES} bytes of a text are compared. IP addresses and identifiers of invoices and payments are sorted as texts. A record whose value changes between two pages may appear in both or in none`, example: '-updated_at', schema: (role) => wordSchema(listSorts(role)), read: readListSort },
  fields: { meaning: 'Only these fields, in this order, separated by commas, each once. The records then lack the other ones', example: 'transaction_id,status', schema: (role) => sequenceSchema(choosableNames(role)), read: (given, role) => readSequence(choosableNames(role))(given) },
  limit: { meaning: `The maximum number of records of a page, 1 to ${MAX_PAGE_SIZE}. By default the response has all records`, example: '100', schema: integerSchema(1, MAX_PAGE_SIZE), read: readInteger(MAX_PAGE_SIZE) },
  offset: { meaning: `The number of records of a sorted list to skip, by default 0 and at most ${MAX_OFFSET.toLocaleString('en')}. Only with sort. The greater the offset, the longer a page takes. To read all pages, follow the link rel="next" of each page instead: then an import between two pages does not shift them`, example: '100', schema: integerSchema(0, MAX_OFFSET), read: readInteger(MAX_OFFSET, 0) },
  id_lists: ID_LISTS_PARAMETER,
  cursor: { meaning: 'The end of the previous page. Follow its link rel="next" instead of making a cursor', example: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', schema: { type: 'string', pattern: CURSOR_PATTERN.source }, read: readCursor },
  format: { meaning: 'The format of the response. It takes precedence over the header Accept', example: 'csv', schema: wordSchema(FORMAT_NAMES), read: readOneOf(FORMAT_NAMES, FORMAT_HINTS) },
  csv: CSV_PARAMETER,
} as const satisfies Record<string, Parameter<unknown>>;

/** Parameters of summaries. */
// biome-ignore format: one parameter a line
export const SUMMARY_PARAMETERS = {
  type: { required: true, meaning: 'Types of the transactions, separated by commas', example: 'sales', schema: arraySchema(wordSchema(KINDS)), read: readSomeOf(KINDS) },
  ...SHARED_PARAMETERS,
  group_by: { meaning: `Groups the transactions by up to ${MAX_GROUPINGS} of these, separated by commas, each once: hour, day, week, month, age, type, or a field such as status or country. By default there is one group`, example: 'day,status', schema: (role) => sequenceSchema(groupingsOf(role), MAX_GROUPINGS), read: (given, role) => readSequence(groupingsOf(role), MAX_GROUPINGS)(given) },
  names: { meaning: 'true: each program_id, publisher_id and support_id of a group is followed by its name in the directory, such as program_name', example: 'true', schema: { type: 'boolean' }, read: readBoolean },
  format: { meaning: 'The format of the response. It takes precedence over the header Accept', example: 'csv', schema: wordSchema(TEXT_FORMATS), read: readOneOf(TEXT_FORMATS) },
  csv: CSV_PARAMETER,
} as const satisfies Record<string, Parameter<unknown>>;

/** Parameters of one transaction. */
export const TRANSACTION_PARAMETERS = { fields: LIST_PARAMETERS.fields } as const;

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

const tablesOfRoles = new WeakMap<ParameterTable, Map<Role, ParameterTable>>();

/** The parameters that a role has. Cached, because each request needs them. */
export function parametersFor(table: ParameterTable, role: Role): ParameterTable {
  const known = tablesOfRoles.get(table) ?? new Map<Role, ParameterTable>();
  tablesOfRoles.set(table, known);
  const own =
    known.get(role) ??
    Object.fromEntries(
      Object.entries(table).filter(([, { roles }]) => roles === undefined || roles.includes(role)),
    );
  known.set(role, own);
  return own;
}

/** JSON Schema of a parameter's value. */
export const schemaOfParameter = ({ schema }: Parameter<unknown>, role: Role): Schema =>
  typeof schema === 'function' ? schema(role) : schema;

/** Whether the value is a list, so that the parameter may be repeated. */
export const isArrayParameter = (parameter: Parameter<unknown> | undefined, role: Role): boolean =>
  parameter !== undefined && schemaOfParameter(parameter, role).type === 'array';

type NameIn<Table> = Extract<keyof Table, string>;

type RequiredNameIn<Table> = {
  [Name in NameIn<Table>]: Table[Name] extends { required: true } ? Name : never;
}[NameIn<Table>];

type ValueIn<Table, Name extends keyof Table> = Table[Name] extends {
  read: (...given: never) => infer Value;
}
  ? Value
  : never;

/** Converts a text to the JSON value that its schema describes. */
export function valueBySchema(given: string, { type, items }: Schema): unknown {
  if (type === 'array') return given.split(',').map((item) => valueBySchema(item, items as Schema));
  if (type === 'boolean' && /^(true|false)$/.test(given)) return given === 'true';
  return type === 'integer' ? Number(given) : given;
}

/** The parsed values of a table's parameters, by name. */
export type ValuesOf<Table> = { readonly [Name in RequiredNameIn<Table>]: ValueIn<Table, Name> } & {
  readonly [Name in Exclude<NameIn<Table>, RequiredNameIn<Table>>]?: ValueIn<Table, Name>;
};

export type ListParameterName = keyof typeof LIST_PARAMETERS;

export const LIST_PARAMETER_NAMES = Object.keys(LIST_PARAMETERS) as readonly ListParameterName[];

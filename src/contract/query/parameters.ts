/** The tables of query parameters: the meaning, schema and parser of each. */

import { PACKED_LISTS } from '../id-lists.ts';
import { choosableFields } from '../record/directory.ts';
import type { FieldLine, FieldType } from '../record/fields.ts';
import { KINDS } from '../record/kinds.ts';
import { statusNamed } from '../record/labels.ts';
import type { Role } from '../record/records.ts';
import { STATUS_LIST, STATUS_TEXTS } from '../record/statuses.ts';
import { CSV_VARIANT_NAMES, CSV_VARIANTS, FORMAT_NAMES, TEXT_FORMATS } from './formats.ts';
import { groupingsOf, MAX_GROUPINGS } from './groupings.ts';
import {
  COUNTRY_SCHEMA as country,
  DATE_SCHEMA as date,
  IDENTIFIER_SCHEMA as identifier,
  integerBetween,
  listOf,
  type Schema,
  sequenceSchema,
  TEXT_SCHEMA as text,
  wordOf,
} from './parameter-schemas.ts';
import {
  CURSOR,
  integerUpTo,
  oneOf,
  readBoolean,
  readCountries,
  readCursor,
  readDate,
  readIdentifiers,
  readPackedLists,
  readText,
  sequenceOf,
  someOf,
} from './parameter-values.ts';

export interface Parameter<Value> {
  readonly required?: true;
  readonly meaning: string;
  readonly example: string;
  /** JSON Schema of the value. It may depend on the fields of the role. */
  readonly schema: Schema | ((role: Role) => Schema);
  /** Parses the text, which is not empty. Throws an InvalidValue. */
  readonly read: (text: string, role: Role) => Value;
}

/** A filter: selects the transactions whose field has one of the values. */
interface Filter<Type extends FieldType, Value> extends Parameter<readonly Value[]> {
  readonly filters: Extract<FieldLine, { type: Type }>['name'];
}

/** Any other parameter takes effect in the plan. */
type SharedParameter =
  | (Parameter<unknown> & { readonly filters?: never })
  | Filter<'integer', number>
  | Filter<'text' | 'word' | 'address' | 'country' | 'status', string>;

/** The dates that a period can refer to. */
export const DATE_FIELDS = ['created_at', 'updated_at', 'validation_date'] as const;

export type DateField = (typeof DATE_FIELDS)[number];

export const ORDERS = ['asc', 'desc'] as const;

export type Order = (typeof ORDERS)[number];

/** The maximum of `limit`. */
export const MAX_PAGE_SIZE = 10_000;

export const CSV_VARIANT = {
  meaning: `CSV for spreadsheets, without formulas. ${CSV_VARIANT_NAMES.map((name) => `${name}: ${CSV_VARIANTS[name].meaning}`).join('; ')}`,
  example: 'excel',
  schema: wordOf(CSV_VARIANT_NAMES),
  read: oneOf(CSV_VARIANT_NAMES),
} as const;

/** Links to further pages have it. */
export const ID_LISTS = {
  meaning:
    'Long lists of identifiers in a short notation, which the link rel="next" has instead of the parameters themselves. Follow the link instead of making it',
  example: 'program_id.MC~publisher_id.ZrB',
  schema: { type: 'string', pattern: PACKED_LISTS.source },
  read: readPackedLists,
} as const satisfies Parameter<string>;

/** Parameters of both lists and summaries. Performance takes some of them. */
const choosableNames = (role: Role): readonly string[] =>
  choosableFields(role).map(({ name }) => name);

// biome-ignore format: one parameter a line
export const SHARED_PARAMETERS = {
  start_date: { required: true, meaning: "First day of the period, in the platform's time zone", example: '2026-01-01', schema: date, read: readDate },
  end_date: { required: true, meaning: "Last day of the period, included, in the platform's time zone", example: '2026-01-31', schema: date, read: readDate },
  date_field: { meaning: 'The date that the period refers to, by default created_at, which never changes. With another date, a record that changes during a download moves to a later position: it appears again in ascending order and may be missing in descending order', example: 'updated_at', schema: wordOf(DATE_FIELDS), read: oneOf(DATE_FIELDS) },
  program_id: { meaning: 'Only these programs, separated by commas', example: '12', schema: listOf(identifier), read: readIdentifiers },
  publisher_id: { meaning: 'Only these publishers, separated by commas. For affiliates: only these websites', example: '345', schema: listOf(identifier), read: readIdentifiers },
  status: { filters: 'status', meaning: `Only transactions with these statuses, separated by commas: ${STATUS_LIST}`, example: '1,2', schema: listOf(wordOf(STATUS_TEXTS)), read: someOf(STATUS_TEXTS, { meaning: STATUS_LIST, synonym: statusNamed }) },
  transaction_id: { filters: 'transaction_id', meaning: 'Only these transactions, separated by commas', example: '1001', schema: listOf(identifier), read: readIdentifiers },
  clickid: { filters: 'clickid', meaning: 'Only transactions with this click identifier', example: 'c0ffee', schema: text, read: readText },
  subid: { filters: 'subid', meaning: 'Only transactions with this secondary identifier', example: 'newsletter', schema: text, read: readText },
  country: { filters: 'country', meaning: 'Only transactions from these countries, separated by commas (ISO 3166-1 alpha-2)', example: 'FR,BE', schema: listOf(country), read: readCountries },
  device_type: { filters: 'device_type', meaning: 'Only transactions from this type of device', example: 'mobile', schema: text, read: readText },
} as const satisfies Record<string, SharedParameter>;

/** Parameters of lists. */
// biome-ignore format: one parameter a line
export const PARAMETERS = {
  type: { required: true, meaning: 'Kind of the transactions', example: 'sales', schema: wordOf(KINDS), read: oneOf(KINDS) },
  ...SHARED_PARAMETERS,
  order: { meaning: 'Sort order by the date, then by the transaction: asc (oldest first, the default) or desc', example: 'desc', schema: wordOf(ORDERS), read: oneOf(ORDERS) },
  fields: { meaning: 'Only these fields, in this order, separated by commas, each once. The records then lack the other ones', example: 'transaction_id,status', schema: (role) => sequenceSchema(choosableNames(role)), read: (given, role) => sequenceOf(choosableNames(role))(given) },
  limit: { meaning: `The maximum number of records of a page, 1 to ${MAX_PAGE_SIZE}. By default the response has all records`, example: '100', schema: integerBetween(1, MAX_PAGE_SIZE), read: integerUpTo(MAX_PAGE_SIZE) },
  id_lists: ID_LISTS,
  cursor: { meaning: 'The end of the previous page. Follow its link rel="next" instead of making a cursor', example: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', schema: { type: 'string', pattern: CURSOR.source }, read: readCursor },
  format: { meaning: 'The format of the response. It takes precedence over the header Accept', example: 'csv', schema: wordOf(FORMAT_NAMES), read: oneOf(FORMAT_NAMES) },
  csv: CSV_VARIANT,
} as const satisfies Record<string, Parameter<unknown>>;

/** Parameters of summaries. */
// biome-ignore format: one parameter a line
export const SUMMARY_PARAMETERS = {
  type: { required: true, meaning: 'Kinds of the transactions, separated by commas', example: 'sales', schema: listOf(wordOf(KINDS)), read: someOf(KINDS) },
  ...SHARED_PARAMETERS,
  group_by: { meaning: `Groups the transactions by up to ${MAX_GROUPINGS} of these, separated by commas, each once. By default there is one group`, example: 'day,status', schema: (role) => sequenceSchema(groupingsOf(role), MAX_GROUPINGS), read: (given, role) => sequenceOf(groupingsOf(role), MAX_GROUPINGS)(given) },
  names: { meaning: 'true: each program_id, publisher_id and support_id of a group is followed by its name in the directory, such as program_name', example: 'true', schema: { type: 'boolean' }, read: readBoolean },
  format: { meaning: 'The format of the response. It takes precedence over the header Accept', example: 'csv', schema: wordOf(TEXT_FORMATS), read: oneOf(TEXT_FORMATS) },
  csv: CSV_VARIANT,
} as const satisfies Record<string, Parameter<unknown>>;

/** Parameters of one transaction. */
export const TRANSACTION_PARAMETERS = { fields: PARAMETERS.fields } as const;

export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

type SharedName = keyof typeof SHARED_PARAMETERS;

/** The names of the filters. */
export type FilterName = {
  [Name in SharedName]: (typeof SHARED_PARAMETERS)[Name] extends { filters: string } ? Name : never;
}[SharedName];

export const FILTERS = (Object.keys(SHARED_PARAMETERS) as SharedName[]).filter(
  (name): name is FilterName => 'filters' in SHARED_PARAMETERS[name],
);

export type FilteredField = (typeof SHARED_PARAMETERS)[FilterName]['filters'];

/** The field that a filter compares with its values. */
export const filteredField = (name: FilterName): FilteredField => SHARED_PARAMETERS[name].filters;

/** JSON Schema of a parameter's value. */
export const schemaOfParameter = ({ schema }: Parameter<unknown>, role: Role): Schema =>
  typeof schema === 'function' ? schema(role) : schema;

/** Whether the value is a list, whose items may be separated by commas or given one by one. */
export const isListParameter = (parameter: Parameter<unknown> | undefined, role: Role): boolean =>
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

export type ParameterName = keyof typeof PARAMETERS;

export const PARAMETER_NAMES = Object.keys(PARAMETERS) as readonly ParameterName[];

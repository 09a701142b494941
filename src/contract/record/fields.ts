/** The table of fields, from which columns, rendered JSON, checks, schemas and types derive. */

import { ACTIONS, COUNTED, type Kind, SALES } from './kinds.ts';
import { STATUSES_HINT, VALIDATED } from './statuses.ts';

/**
 * What a field holds.
 *
 * - `integer`: 0 to 2^53−1, a JSON number
 * - `decimal`: up to 12 digits before the point and 6 after it, a JSON number
 * - `text`: any Unicode text; `word`: text with few different values
 * - `address`: IPv4 or IPv6 in its usual notation; `country`: ISO 3166-1 alpha-2, upper case
 * - `date`: `YYYY-MM-DD HH:MM:SS` in the platform's time zone
 * - `status`: `"0"`, `"1"` or `"2"`; `status_label`: its label in the reader's language, not stored
 */
export type FieldType = StoredType | 'status_label';

/** The types of the columns in the tables and in files. */
export type StoredType =
  | 'integer'
  | 'decimal'
  | 'text'
  | 'word'
  | 'address'
  | 'country'
  | 'date'
  | 'status';

export interface Field {
  /** The name in the administrator's record, in files and in the tables. */
  readonly name: string;
  readonly type: FieldType;
  /** The value is never null. */
  readonly required?: true;
  /** The kinds that have the field. It is null for other kinds. By default all kinds have it. */
  readonly kinds?: readonly Kind[];
  /** It identifies a person, alone or with other data. An erasure empties it. */
  readonly personal?: true;
  /** Its position in the affiliate's record. Affiliates cannot read a field without one. */
  readonly affiliate?: number;
  /** Its name in the affiliate's record, if it differs. */
  readonly affiliateName?: string;
  /** Its texts have no character that JSON escapes. */
  readonly isPlain?: true;
  /** For a name from the directory: the field with the identifier that it names. */
  readonly nameOf?: string;
  readonly meaning: string;
}

/** In the order of the administrator's record. */
// biome-ignore format: one field a line, so that the table reads as one
export const FIELDS = [
  { name: 'transaction_id', type: 'integer', required: true, affiliate: 1, meaning: 'Unique identifier of the transaction' },
  { name: 'program_id', type: 'integer', required: true, affiliate: 2, meaning: 'Identifier of the program' },
  { name: 'publisher_id', type: 'integer', required: true, affiliate: 3, meaning: 'Identifier of the publisher. For affiliates: of the website' },
  { name: 'support_id', type: 'integer', required: true, affiliate: 4, meaning: 'Identifier of the support: the place on the website where the advertisement is shown' },
  { name: 'invoice_id', type: 'text', meaning: 'Identifier of the invoice, if available' },
  { name: 'payment_id', type: 'text', affiliate: 5, meaning: 'Identifier of the payment, if available' },
  { name: 'remu_program', type: 'decimal', meaning: 'Remuneration that the program pays' },
  { name: 'remu_publisher', type: 'decimal', affiliate: 6, affiliateName: 'remuneration', meaning: 'Remuneration that the publisher receives' },
  { name: 'ip_address', type: 'address', personal: true, affiliate: 8, meaning: 'IP address of the action, if available. The platform may show only its network, or null' },
  { name: 'pid', type: 'text', personal: true, meaning: 'Optional tracking parameter' },
  { name: 'clickid', type: 'text', personal: true, affiliate: 9, meaning: 'Click identifier, if available' },
  { name: 'subid', type: 'text', personal: true, affiliate: 10, meaning: 'Sub id: an identifier that the affiliate added to the link, if available' },
  { name: 'token', type: 'text', personal: true, affiliate: 11, meaning: 'Optional tracking token, not an access token' },
  { name: 'total', type: 'integer', kinds: COUNTED, affiliate: 7, meaning: 'Number of events that the row represents' },
  { name: 'orderid', type: 'integer', personal: true, kinds: ACTIONS, meaning: 'Identifier of the order' },
  { name: 'userid', type: 'integer', personal: true, kinds: ACTIONS, meaning: 'Identifier of the user who placed the order or performed the action' },
  { name: 'target', type: 'word', kinds: ACTIONS, meaning: 'The action that the lead or sale is about, as the program names it' },
  { name: 'amount', type: 'decimal', kinds: SALES, meaning: 'Amount of the sale' },
  { name: 'coupon', type: 'word', kinds: SALES, meaning: 'Coupon used' },
  { name: 'share', type: 'integer', kinds: SALES, meaning: 'How the sale was attributed if several clicks led to it: a code, whose name is `share_label`' },
  { name: 'share_label', type: 'word', kinds: SALES, meaning: 'Name of the code in `share`' },
  { name: 'first_click', type: 'date', kinds: SALES, meaning: 'Date of the first click' },
  { name: 'last_click', type: 'date', kinds: SALES, meaning: 'Date of the last click' },
  { name: 'first_referer', type: 'text', personal: true, kinds: SALES, meaning: 'URL of the page that the visitor first came from' },
  { name: 'last_referer', type: 'text', personal: true, kinds: SALES, meaning: 'URL of the page that the visitor last came from' },
  { name: 'country', type: 'country', affiliate: 12, meaning: 'Country of the IP address (ISO 3166-1 alpha-2)' },
  { name: 'device_type', type: 'word', affiliate: 13, meaning: 'Type of the device (mobile, desktop, …)' },
  { name: 'device_os', type: 'word', affiliate: 14, meaning: 'Operating system of the device' },
  { name: 'browser', type: 'word', affiliate: 15, meaning: 'Name of the browser' },
  { name: 'referer', type: 'text', personal: true, meaning: 'URL of the page that the visitor came from' },
  { name: 'status', type: 'status', required: true, affiliate: 16, meaning: `Status: ${STATUSES_HINT}` },
  { name: 'status_label', type: 'status_label', required: true, affiliate: 17, meaning: 'Label of the status in the reader’s language' },
  { name: 'validation_date', type: 'date', affiliate: 18, meaning: `Date of validation; null unless the status is ${VALIDATED}` },
  { name: 'created_at', type: 'date', required: true, affiliate: 19, meaning: 'Date of creation' },
  { name: 'updated_at', type: 'date', required: true, affiliate: 20, meaning: 'Date of the last change' },
] as const satisfies readonly Field[];

export type FieldLine = (typeof FIELDS)[number];

export type FieldName = FieldLine['name'];

export const FIELD_NAMED = Object.fromEntries(FIELDS.map((field) => [field.name, field])) as {
  readonly [Line in FieldLine as Line['name']]: Line;
};

/** A field with a column in the tables and in files. */
export interface StoredField extends Field {
  readonly type: StoredType;
}

/** The label depends on the reader's language, so it is made when a record is read. */
export const isStored = (field: Field): field is StoredField => field.type !== 'status_label';

export const STORED_FIELDS: readonly StoredField[] = (FIELDS as readonly Field[]).filter(isStored);

/** The closed set of fields that an erasure empties. */
export const PERSONAL_FIELDS: readonly StoredField[] = STORED_FIELDS.filter(
  ({ personal }) => personal,
);

export const appliesTo = (field: Field, kind: Kind): boolean =>
  field.kinds === undefined || field.kinds.includes(kind);

/** JSON Schemas (draft 2020-12) of the records, derived from the table of fields. */

import type { Field, FieldType } from './fields.ts';
import { STATUS_LABELS } from './labels.ts';
import { RECORD_FIELDS, type RecordField, type Role } from './records.ts';
import { STATUS_TEXTS } from './statuses.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The format of dates and times. */
export const DATE_TIME_PATTERN = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$';

/** Without the format int64, for which code generators choose a bigint. */
export const IDENTIFIER_SCHEMA: Schema = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
};

const SCHEMA_OF_TYPE: { readonly [type in FieldType]: Schema } = {
  integer: IDENTIFIER_SCHEMA,
  decimal: { type: 'number' },
  text: { type: 'string' },
  word: { type: 'string' },
  address: { type: 'string' },
  country: { type: 'string', pattern: '^[A-Z]{2}$' },
  date: { type: 'string', pattern: DATE_TIME_PATTERN },
  status: { type: 'string', enum: STATUS_TEXTS },
  status_label: { type: 'string', enum: [...new Set(Object.values(STATUS_LABELS).flat())] },
};

/** The schema of one field's value. */
export function schemaOfField(field: Field): Schema {
  const schema = { ...SCHEMA_OF_TYPE[field.type], description: field.meaning };
  return field.required ? schema : { ...schema, type: [SCHEMA_OF_TYPE[field.type].type, 'null'] };
}

export const propertiesOf = (fields: readonly RecordField[]): Schema =>
  Object.fromEntries(fields.map(({ name, field }) => [name, schemaOfField(field)]));

/** The schema of a record: it always has every field and no other. */
export function schemaOfRecord(role: Role): Schema {
  const fields = RECORD_FIELDS[role];
  return {
    type: 'object',
    properties: propertiesOf(fields),
    required: fields.map(({ name }) => name),
    additionalProperties: false,
  };
}

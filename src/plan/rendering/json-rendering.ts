/**
 * SQL expressions that render records as JSON (RFC 8259), when rows are inserted or read.
 *
 * They use only functions that no setting of the inserting session affects. The engine's own JSON
 * output depends on a dozen settings.
 */

import { assertNever } from '../../contract/assert-never.ts';
import { nameFieldOf } from '../../contract/record/directory.ts';
import {
  appliesTo,
  type Field,
  type FieldType,
  isStored,
  type StoredField,
} from '../../contract/record/fields.ts';
import type { Kind } from '../../contract/record/kinds.ts';
import type { RecordField } from '../../contract/record/records.ts';
import { VALIDATED } from '../../contract/record/statuses.ts';
import { nameExpression } from '../directory/directory-names.ts';
import { literal } from '../sql.ts';

/** The JSON text before and after the status label, which depends on the reader's language. */
export interface Rendered {
  readonly head: string;
  readonly tail: string | undefined;
}

/** The computed column with what the table's role may see of an IP address. Readers get only this column. */
export const shownColumn = (name: string): string => `shown_${name}`;

/** The expression with a field's value for readers. */
export function columnOfField({ type, nameOf }: StoredField, name: string): string {
  const names = nameOf === undefined ? undefined : nameFieldOf(nameOf);
  if (nameOf !== undefined && names !== undefined) return nameExpression(nameOf, names.of);
  return type === 'address' ? shownColumn(name) : name;
}

/** The JSON object of some fields. `tail` is undefined if the label is not one of them. */
export function renderedFields(
  fields: readonly RecordField[],
  columnOf: (field: StoredField, name: string) => string = columnOfField,
): Rendered {
  const at = fields.findIndex(({ field }) => field.type === 'status_label');
  const keyAt = (index: number) => `${index === 0 ? '{' : ','}"${fields[index]?.name}":`;
  const between = (from: number, to: number, opening: readonly string[], closing: string) => {
    const shown = fields.slice(from, to);
    const pieces = shown.flatMap(({ name, field }, index) =>
      isStored(field)
        ? [literal(keyAt(from + index)), valueText(field, columnOf(field, name))]
        : [],
    );
    const texts = shown.flatMap(({ name, field }) =>
      isStored(field) && IS_TEXT[field.type] && !field.isPlain ? [columnOf(field, name)] : [],
    );
    return escapedControls([...opening, ...pieces, literal(closing)], texts);
  };
  if (at < 0) return { head: between(0, fields.length, [], '}'), tail: undefined };
  return {
    head: between(0, at, [], `${keyAt(at)}"`),
    tail: between(at + 1, fields.length, [literal('"')], '}'),
  };
}

/** The JSON text of a field: `null` if the row has no value, or if its kind does not have the field. */
function valueText(field: StoredField, column: string): string {
  const text = applicableValue(field, bareText(field, column));
  return field.required ? text : `ifNull(${text}, 'null')`;
}

/**
 * The expression for rows whose kind has the field, and NULL for other rows. A validation date is also NULL while
 * the status is not validated.
 */
export function applicableValue(field: Field, expression: string): string {
  const value =
    field.kinds === undefined ? expression : `if(${hasField(field)}, ${expression}, NULL)`;
  return whereValidated(field, value);
}

/**
 * Like {@link applicableValue} for rows of one kind, without a condition for each row. Undefined if the kind
 * does not have the field.
 */
export const applicableValueForKind = (
  kind: Kind | undefined,
  field: Field,
  expression: string,
): string | undefined => {
  if (kind === undefined) return applicableValue(field, expression);
  return appliesTo(field, kind) ? whereValidated(field, expression) : undefined;
};

const whereValidated = (field: Field, expression: string): string =>
  field.name === 'validation_date' ? `if(status = ${VALIDATED}, ${expression}, NULL)` : expression;

/** Whether values of the type may contain control characters. */
const IS_TEXT: { readonly [type in FieldType]: boolean } = {
  integer: false,
  decimal: false,
  text: true,
  word: true,
  address: true,
  country: true,
  date: false,
  status: false,
  status_label: false,
};

const hasField = (field: Field): string =>
  `type IN (${(field.kinds ?? []).map((kind) => `'${kind}'`).join(', ')})`;

function bareText({ type, isPlain }: StoredField, column: string): string {
  switch (type) {
    case 'integer':
      return `toString(${column})`;
    case 'decimal':
      return decimalText(column);
    case 'date':
      return `formatDateTime(${column}, '"%F %T"')`;
    case 'status':
      return `concat('"', toString(${column}), '"')`;
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      return `concat('"', ${isPlain ? column : escapedText(column)}, '"')`;
    default:
      return assertNever(type);
  }
}

/** A decimal without trailing zeros. */
export const decimalText = (column: string): string =>
  `rtrim(rtrim(toDecimalString(${column}, 6), '0'), '.')`;

const escapedText = (column: string): string =>
  `replaceAll(replaceAll(toValidUTF8(${column}), ${literal('\\')}, ${literal('\\\\')}), '"', ${literal('\\"')})`;

/** Control characters below U+0020, which JSON requires to be escaped. */
const CONTROLS = Array.from({ length: 32 }, (_, code) => code.toString(16).padStart(2, '0'));

/** Escapes control characters. They are rare, so one search over the row's texts decides whether to escape. */
function escapedControls(pieces: readonly string[], texts: readonly string[]): string {
  const text = `concat(${pieces.join(', ')})`;
  if (texts.length === 0) return text;
  const searched = `concat(${texts.map((column) => `ifNull(${column}, '')`).join(', ')})`;
  const controls = CONTROLS.map((hex) => `'\\x${hex}'`).join(', ');
  const hasControls = `multiSearchAny(${searched}, [${controls}])`;
  // The engine evaluates both branches of a condition, so rows without controls pass an empty text to the slow part.
  const escaped = `arrayStringConcat(arrayMap(c -> if(c < ' ', concat(${literal('\\u00')}, lower(hex(c))), c), splitByString('', if(${hasControls}, ${text}, ''))))`;
  return `concat(if(${hasControls}, '', ${text}), ${escaped})`;
}

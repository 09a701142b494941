/**
 * The expressions that render a row's JSON text when it is stored (RFC 8259).
 *
 * They are made of functions whose result no setting of the inserting session changes; the engine's
 * own JSON output depends on a dozen of them.
 */

import type { Field } from '../contract/fields.ts';
import { type Audience, RECORDS } from '../contract/records.ts';
import { literal } from '../plan/sql.ts';

/** The record's text before and after the status label, which depends on the reader's language. */
export interface RenderedRecord {
  readonly head: string;
  readonly tail: string;
}

export function renderedRecord(audience: Audience): RenderedRecord {
  const fields = RECORDS[audience];
  const at = fields.findIndex(({ field }) => field.type === 'status_label');
  const pieces = fields.map(({ name, field }, index) => {
    const key = `${index === 0 ? '{' : ','}"${name}":`;
    return { key, value: valueText(field, name) };
  });
  const rendered = (from: number, to: number) =>
    pieces.slice(from, to).flatMap(({ key, value }) => [literal(key), value]);
  const texts = (from: number, to: number) =>
    fields.slice(from, to).flatMap(({ name, field }) => (isText(field) ? [name] : []));
  return {
    head: escapedControls([...rendered(0, at), literal(`${pieces[at]?.key}"`)], texts(0, at)),
    tail: escapedControls(
      [literal('"'), ...rendered(at + 1, pieces.length), literal('}')],
      texts(at + 1, fields.length),
    ),
  };
}

/** The JSON text of one field of the row; `null` where the field has no value or no meaning. */
function valueText(field: Field, column: string): string {
  const text = bareText(field, column);
  const shown = field.kinds === undefined ? text : `if(${hasMeaning(field)}, ${text}, NULL)`;
  const condition = field.name === 'validation_date' ? `if(status = 1, ${shown}, NULL)` : shown;
  return field.required ? condition : `ifNull(${condition}, 'null')`;
}

const isText = ({ type }: Field): boolean =>
  type === 'text' || type === 'word' || type === 'address' || type === 'country';

const hasMeaning = (field: Field): string =>
  `type IN (${(field.kinds ?? []).map((kind) => `'${kind}'`).join(', ')})`;

function bareText(field: Field, column: string): string {
  switch (field.type) {
    case 'integer':
      return `toString(${column})`;
    case 'decimal':
      return `rtrim(rtrim(toDecimalString(${column}, 6), '0'), '.')`;
    case 'date':
      return `formatDateTime(${column}, '"%F %T"')`;
    case 'status':
      return `concat('"', toString(${column}), '"')`;
    default:
      return `concat('"', ${escapedText(column)}, '"')`;
  }
}

const escapedText = (column: string): string =>
  `replaceAll(replaceAll(toValidUTF8(${column}), ${literal('\\')}, ${literal('\\\\')}), '"', ${literal('\\"')})`;

/** The characters that JSON text may not hold as they are, below U+0020. */
const CONTROLS = Array.from({ length: 32 }, (_, code) => code.toString(16).padStart(2, '0'));

/** Control characters are rare, so the row's texts are searched once, and escaped only if need be. */
function escapedControls(pieces: readonly string[], texts: readonly string[]): string {
  const text = `concat(${pieces.join(', ')})`;
  if (texts.length === 0) return text;
  const searched = `concat(${texts.map((column) => `ifNull(${column}, '')`).join(', ')})`;
  const controls = CONTROLS.map((hex) => `'\\x${hex}'`).join(', ');
  const hasControls = `multiSearchAny(${searched}, [${controls}])`;
  // The rare texts go through the slow part alone; a condition around it would not keep the others out.
  const escaped = `arrayStringConcat(arrayMap(c -> if(c < ' ', concat(${literal('\\u00')}, lower(hex(c))), c), splitByString('', if(${hasControls}, ${text}, ''))))`;
  return `concat(if(${hasControls}, '', ${text}), ${escaped})`;
}

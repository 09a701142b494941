/** A row whose values could be rendered differently by session settings, inserted without an import. */

import { assertNever } from '../../../src/contract/assert-never.ts';
import { STORED_FIELDS, type StoredField } from '../../../src/contract/record/fields.ts';
import type { Kind } from '../../../src/contract/record/kinds.ts';
import { literal } from '../../../src/plan/sql.ts';

export const AWKWARD_TEXT = 'a/b "c" \\ \u0001\n </script> é 👍';

/**
 * The statement that inserts the row. Every field has a value, even if it does not apply to the kind. `given` has
 * SQL literals that replace values.
 */
export function awkwardInsert(
  kind: Kind,
  given: Readonly<Record<string, string>>,
  settings = '',
): string {
  const names = STORED_FIELDS.map(({ name }) => name).join(', ');
  const values = STORED_FIELDS.map((field) => given[field.name] ?? awkwardValue(field)).join(', ');
  const clause = settings === '' ? '' : ` SETTINGS ${settings}`;
  return `INSERT INTO transactions (type, ${names}) SELECT '${kind}', ${values}${clause}`;
}

function awkwardValue({ type }: StoredField): string {
  switch (type) {
    case 'integer':
      return '9007199254740991';
    case 'decimal':
      return "toDecimal64('1234567.100000', 6)";
    case 'date':
      return "toDateTime(1767225600, 'UTC')";
    case 'status':
      return '1';
    case 'text':
    case 'word':
    case 'address':
    case 'country':
      return literal(AWKWARD_TEXT);
    default:
      return assertNever(type);
  }
}

/** The page of the reference about fields, generated from their tables. */

import { performanceMeasures } from '../../contract/groups/performance-record.ts';
import { RATIO_DECIMALS } from '../../contract/groups/ratios.ts';
import { AGES, GROUPINGS, performanceGroupingsOf } from '../../contract/query/groupings.ts';
import { NAME_FIELDS } from '../../contract/record/directory.ts';
import { type Field, type FieldType, PERSONAL_FIELDS } from '../../contract/record/fields.ts';
import { LOCALES, STATUS_LABELS } from '../../contract/record/labels.ts';
import { RECORD_FIELDS, type RecordField, type Role } from '../../contract/record/records.ts';
import { STATUS_TEXTS, STATUSES } from '../../contract/record/statuses.ts';
import { totalsFields } from '../../contract/record/summary.ts';
import { code, page, section, table } from './reference-markdown.ts';

export function fieldsPage(): string {
  return page('Fields', [
    'Every record has all fields of its role, in this order. A field that may be null is null if the transaction has no value, or if the field does not apply to the type.',
    section('The administrator’s record', fieldTable(RECORD_FIELDS.admin)),
    section('The affiliate’s record', fieldTable(RECORD_FIELDS.affiliate)),
    section('Names', names()),
    section('Personal fields', personalFields()),
    section('Summaries', summaries()),
    section('Performance', performance()),
    section('Types of values', valueTypes()),
    section(
      'Status labels',
      table(
        ['Language', ...STATUSES.map(String)],
        LOCALES.map((locale) => [locale, ...STATUS_LABELS[locale]]),
      ),
    ),
  ]);
}

const names = (): string =>
  `Lists have these only where the parameter \`fields\` asks for them, such as \`fields=transaction_id,program_name\`:\n\n${fieldTable(NAME_FIELDS)}`;

const personalFields = (): string =>
  `An [erasure](../how-to/privacy.md) empties these: ${PERSONAL_FIELDS.map(({ name }) => code(name)).join(', ')}.`;

/** The count, sums and fingerprint of a group. */
function summaries(): string {
  const ofRole = (role: Role) => fieldTable(totalsFields(role));
  return [
    `A group begins with the fields of its groupings, in the order of \`group_by\`: ${GROUPINGS.map(code).join(', ')}. A status is followed by its label. A day has the form \`YYYY-MM-DD\`, a week is the date of its Monday, a month has the form \`YYYY-MM\`, and an hour has the form \`YYYY-MM-DD HH:00\`. An age is one of ${AGES.map(({ name }) => code(name)).join(', ')}, in days. Only administrators group by \`coupon\` and \`invoice_id\`. The other fields of a group are, for administrators,`,
    ofRole('admin'),
    'and for affiliates',
    ofRole('affiliate'),
    'A sum is always a number. Null adds nothing, so a sum without values is 0.',
  ].join('\n\n');
}

/** The measures and ratios of performance. */
function performance(): string {
  const ofRole = (role: Role) => fieldTable(performanceMeasures(role));
  return [
    `A record begins with the fields of its groupings, in the order of \`group_by\`: ${performanceGroupingsOf('admin').map(code).join(', ')}, as in summaries. The other fields are, for administrators,`,
    ofRole('admin'),
    'and for affiliates',
    ofRole('affiliate'),
    `Sums are exact. A ratio is a fraction, such as 0.05 for 5 %, rounded half away from zero to ${RATIO_DECIMALS} decimal places. It is null if the divisor is 0. With \`compare\`, the same fields of the former period follow, with \`former_\` before their names.`,
  ].join('\n\n');
}

function fieldTable(fields: readonly RecordField[]): string {
  const rows = fields.map(({ name, field }) => [
    code(name),
    field.type.replace('_', ' '),
    field.required ? '' : 'null',
    meaningOf(field),
  ]);
  return table(['Field', 'Value', '', 'Meaning'], rows);
}

const meaningOf = ({ meaning, kinds }: Field): string =>
  kinds === undefined ? meaning : `${meaning} (${kinds.join(', ')})`;

const VALUE_TYPES: { readonly [type in FieldType]: string } = {
  integer: 'a JSON number, 0 to 9007199254740991 (2^53−1)',
  decimal: 'a JSON number with at most 12 digits before the point and 6 after it, exact',
  text: 'any Unicode text',
  word: 'any Unicode text; few different values',
  address: 'IPv4 or IPv6 in its usual notation',
  country: 'ISO 3166-1 alpha-2, upper case',
  date: '`YYYY-MM-DD HH:MM:SS` in the platform’s time zone',
  status: `one of ${STATUS_TEXTS.map((text) => `\`"${text}"\``).join(', ')}`,
  status_label: 'the label of the status in the reader’s language; import ignores it',
};

const valueTypes = (): string =>
  table(
    ['Value', ''],
    Object.entries(VALUE_TYPES).map(([type, meaning]) => [type.replace('_', ' '), meaning]),
  );

/** All checks of a row, as SQL conditions on normalised text, derived from the table of fields. */

import { iso31661 } from 'iso-3166';
import { assertNever } from '../../contract/assert-never.ts';
import type { StoredField } from '../../contract/record/fields.ts';
import { KINDS } from '../../contract/record/kinds.ts';
import { STATUS_TEXTS, VALIDATED } from '../../contract/record/statuses.ts';
import type { Check, CheckOptions, ValueCheck } from './check.ts';
import { dateFaults, dateValue } from './date-checks.ts';
import { type TextColumns, takenFields } from './text-columns.ts';

/** `XK` stands for Kosovo: ISO 3166-1 has no code for it but leaves this one free for users. */
const COUNTRIES = [...iso31661.map(({ alpha2 }) => alpha2), 'XK'];

/** The statuses without a date of validation. */
const OTHER_STATUSES = STATUS_TEXTS.filter((status) => status !== String(VALIDATED));

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');

/** All checks of what a source has, in the order of the fields. */
export function checksOf(source: TextColumns, options: CheckOptions): readonly Check[] {
  return [
    { column: 'type', reason: 'missing', condition: "type = ''" },
    { column: 'type', reason: 'not_a_kind', condition: `type NOT IN ('', ${quoted(KINDS)})` },
    { column: 'type', reason: 'other_kind', condition: "type_cell NOT IN ('', type)" },
    ...takenFields(source).flatMap((field) => checksOfField(field, options)),
    ...retentionChecks(options),
    {
      column: 'validation_date',
      reason: 'validation_date_missing',
      condition: `status = '${VALIDATED}' AND validation_date = ''`,
    },
    {
      column: 'validation_date',
      reason: 'validation_date_unexpected',
      condition: `status IN (${quoted(OTHER_STATUSES)}) AND validation_date != ''`,
    },
  ];
}

/** Rows that were removed must not come back. */
const retentionChecks = ({ keptFrom = {}, timeZone }: CheckOptions): readonly Check[] =>
  Object.entries(keptFrom).map(([kind, first]) => ({
    column: 'created_at',
    reason: 'beyond_retention',
    condition: `type = '${kind}' AND created_at != '' AND toYYYYMM(${dateValue('created_at', timeZone)}) < ${first}`,
  }));

/** The checks of one field. */
export function checksOfField(
  field: StoredField,
  options: Pick<CheckOptions, 'timeZone' | 'round'>,
): readonly Check[] {
  const { name } = field;
  const required = field.required
    ? [{ reason: 'missing', condition: `${name} = ''` } as const]
    : [];
  const meaning = field.kinds
    ? [
        {
          reason: 'no_meaning',
          condition: `${name} != '' AND type NOT IN ('', ${quoted(field.kinds)})`,
        } as const,
      ]
    : [];
  const value = faultsOfValue(field, options).map(({ reason, condition }) => ({
    reason,
    condition: `${name} != '' AND ${condition}`,
  }));
  return [...required, ...meaning, ...value].map((check) => ({ column: name, ...check }));
}

function faultsOfValue(
  { name, type }: StoredField,
  { timeZone, round }: Pick<CheckOptions, 'timeZone' | 'round'>,
): readonly ValueCheck[] {
  switch (type) {
    case 'integer':
      return [
        {
          reason: 'not_an_integer',
          condition: `(NOT match(${name}, '^[0-9]{1,16}$') OR toUInt64OrZero(${name}) > ${Number.MAX_SAFE_INTEGER})`,
        },
      ];
    case 'decimal':
      return decimalFaults(name, round);
    case 'date':
      return dateFaults(name, timeZone);
    case 'address':
      return [
        {
          reason: 'not_an_address',
          condition: `NOT (isIPv4String(${name}) OR isIPv6String(${name}))`,
        },
      ];
    case 'country':
      return [
        { reason: 'not_a_country', condition: `upper(${name}) NOT IN (${quoted(COUNTRIES)})` },
      ];
    case 'status':
      return [{ reason: 'not_a_status', condition: `${name} NOT IN (${quoted(STATUS_TEXTS)})` }];
    case 'text':
    case 'word':
      return [{ reason: 'not_utf8', condition: `NOT isValidUTF8(${name})` }];
    default:
      return assertNever(type);
  }
}

const DECIMAL = '^-?[0-9]{1,12}([.][0-9]{1,60})?$';

function decimalFaults(name: string, round: boolean): readonly ValueCheck[] {
  const isNone = `NOT match(${name}, '${DECIMAL}')`;
  // The only case in which rounding adds a thirteenth digit before the point.
  const isTooGreat = `match(${name}, '^-?9{12}[.]9{6}[5-9]')`;
  if (round) return [{ reason: 'not_a_decimal', condition: `(${isNone} OR ${isTooGreat})` }];
  return [
    { reason: 'not_a_decimal', condition: isNone },
    { reason: 'too_many_decimals', condition: `match(${name}, '[.][0-9]{6}[0-9]*[1-9]')` },
  ];
}

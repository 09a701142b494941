/** All checks of a row, as SQL conditions on normalised text, derived from the table of fields. */

// The module of all parts of ISO 3166 takes two megabytes more.
import { iso31661 } from 'iso-3166/1.js';
import { assertNever } from '../../contract/assert-never.ts';
import type { StoredField } from '../../contract/record/fields.ts';
import { KINDS } from '../../contract/record/kinds.ts';
import { STATUS_TEXTS, VALIDATED } from '../../contract/record/statuses.ts';
import type { Check, CheckOptions, ValueCheck } from './check.ts';
import { dateFaults, dateValue } from './date-checks.ts';
import { type TextColumns, usedFields } from './text-columns.ts';

/** `XK` stands for Kosovo: ISO 3166-1 has no code for it but leaves this one free for users. */
const COUNTRIES = [...iso31661.map(({ alpha2 }) => alpha2), 'XK'];

/** The statuses without a date of validation. */
const OTHER_STATUSES = STATUS_TEXTS.filter((status) => status !== String(VALIDATED));

const quoted = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');

/** All checks for the columns of a source, in the order of the fields. */
export const checksOf = (source: TextColumns, options: CheckOptions): readonly Check[] => [
  ...TYPE_CHECKS,
  ...usedFields(source).flatMap((field) => checksOfField(field, options)),
  ...rowChecks(options),
];

/**
 * The checks of `checksOf` as SQL conditions. A row is faulty if one of them is true.
 *
 * The engine needs longer to plan the checks of a date than to check a thousand rows, so all columns with
 * dates share one condition.
 */
export function faultConditions(source: TextColumns, options: CheckOptions): readonly string[] {
  const fields = usedFields(source);
  const checks = [
    ...TYPE_CHECKS,
    ...fields.flatMap(presenceChecks),
    ...fields.filter((field) => !isDate(field)).flatMap((field) => valueChecks(field, options)),
    ...rowChecks(options),
  ];
  const dates = fields.filter(isDate).map(({ name }) => name);
  const dateFault = dateFaults('date', options).map(({ condition }) => `(${condition})`);
  return [
    ...checks.map(({ condition }) => condition),
    `arrayExists(date -> date != '' AND (${dateFault.join(' OR ')}), [${dates.join(', ')}])`,
  ];
}

const isDate = ({ type }: StoredField): boolean => type === 'date';

const TYPE_CHECKS: readonly Check[] = [
  { column: 'type', reason: 'missing', condition: "type = ''" },
  { column: 'type', reason: 'not_a_kind', condition: `type NOT IN ('', ${quoted(KINDS)})` },
  { column: 'type', reason: 'other_kind', condition: "type_cell NOT IN ('', type)" },
];

/** Checks of several columns together. */
const rowChecks = (options: CheckOptions): readonly Check[] => [
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

/** Rows that were removed must not come back. */
const retentionChecks = ({ keptFrom = {}, timeZone }: CheckOptions): readonly Check[] =>
  Object.entries(keptFrom).map(([kind, first]) => ({
    column: 'created_at',
    reason: 'beyond_retention',
    condition: `type = '${kind}' AND created_at != '' AND toYYYYMM(${dateValue('created_at', timeZone)}) < ${first}`,
  }));

/** The checks of one field. */
export const checksOfField = (
  field: StoredField,
  options: Pick<CheckOptions, 'timeZone' | 'round'>,
): readonly Check[] => [...presenceChecks(field), ...valueChecks(field, options)];

/** Whether a field must or must not have a value. */
function presenceChecks({ name, required, kinds }: StoredField): readonly Check[] {
  const missing: Check = { column: name, reason: 'missing', condition: `${name} = ''` };
  if (kinds === undefined) return required ? [missing] : [];
  const condition = `${name} != '' AND type NOT IN ('', ${quoted(kinds)})`;
  const meaningless: Check = { column: name, reason: 'no_meaning', condition };
  return required ? [missing, meaningless] : [meaningless];
}

const valueChecks = (
  field: StoredField,
  options: Pick<CheckOptions, 'timeZone' | 'round'>,
): readonly Check[] =>
  faultsOfValue(field, options).map(({ reason, condition }) => ({
    column: field.name,
    reason,
    condition: `${field.name} != '' AND ${condition}`,
  }));

function faultsOfValue(
  { name, type }: StoredField,
  options: Pick<CheckOptions, 'timeZone' | 'round'>,
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
      return decimalFaults(name, options.round);
    case 'date':
      return dateFaults(name, options);
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

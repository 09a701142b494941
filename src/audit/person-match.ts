/** Tells whether a report or webhook could have sent transactions of a person, and whether a report asked for them. */

import { startOfDay } from '../contract/query/calendar.ts';
import { formerPeriod } from '../contract/query/compared-period.ts';
import {
  FILTERS,
  type FilteredField,
  type FilterName,
  filteredField,
  isExclusion,
} from '../contract/query/filters/filters.ts';
import { sortOf } from '../contract/query/sorting/sort.ts';
import { RECORD_FIELDS, type Role } from '../contract/record/records.ts';
import type { AddedWebhook, ReportDetails } from './audit-events.ts';
import type { AuditedScope, Question } from './audit-question.ts';
import { PERSON_FIELDS, type Person, type PersonTransaction } from './person.ts';
import { auditedValue, type HashValue } from './value-hash.ts';

/** `asked`: the request named the value. `could_have_received`: the response may have shown the value. */
export type Match = 'asked' | 'could_have_received';

export interface AuditedRequest {
  readonly details: ReportDetails;
  readonly role: Role;
  readonly at: Date;
}

export interface PersonSearch {
  readonly person: Person;
  readonly transactions: readonly PersonTransaction[];
  readonly timeZone: string;
  readonly hash: HashValue;
}

export function matchOf(request: AuditedRequest, search: PersonSearch): Match | undefined {
  const { question } = request.details;
  if (question === null) return undefined;
  if (asksFor(question, search)) return 'asked';
  return couldHaveReceived(request, question, search) ? 'could_have_received' : undefined;
}

/**
 * A webhook delivers whole records, also of transactions that are older than the webhook, until it is removed.
 * `removedAt` is in milliseconds since 1970.
 */
export function webhookMatch(
  webhook: AddedWebhook,
  { person, transactions }: PersonSearch,
  removedAt: number,
): Match | undefined {
  if (nameOf(webhook.webhook_role, PERSON_FIELDS[person.key].field) === undefined) return undefined;
  const couldHaveSent = (one: PersonTransaction) =>
    one.created * 1000 <= removedAt && isInScope(webhook, one);
  return transactions.some(couldHaveSent) ? 'could_have_received' : undefined;
}

function asksFor({ filters }: Question, { person: { key, value }, hash }: PersonSearch): boolean {
  const { field } = PERSON_FIELDS[key];
  return FILTERS.some((name) => {
    const values = filteredField(name) === field ? filters[name] : undefined;
    return values !== undefined && values !== 'many' && values.includes(hash(field, value));
  });
}

function couldHaveReceived(
  { details: { outcome, rows }, role, at }: AuditedRequest,
  question: Question,
  { person, transactions, timeZone, hash }: PersonSearch,
): boolean {
  const hasNoRows = outcome === 'refused' || outcome === 'not_modified' || rows === 0;
  if (hasNoRows || !showsField(question, role, PERSON_FIELDS[person.key].field)) return false;
  const { date_field } = question;
  const periods = periodsOf(question, timeZone);
  return transactions.some(
    (one) =>
      isInScope(question, one) &&
      one.created * 1000 <= at.getTime() &&
      periods.some(({ from, until }) => isWithin(one, date_field, from, until)) &&
      FILTERS.every((name) => passes(name, question, one, hash)),
  );
}

/** The period of a report and the former one, in seconds since 1970. A report without a period covers all time. */
function periodsOf({ start_date: first, end_date: last, compare }: Question, timeZone: string) {
  if (first === null || last === null) return [{ from: 0, until: Number.POSITIVE_INFINITY }];
  const period = { first, last };
  const periods = compare === null ? [period] : [period, formerPeriod(period, compare)];
  return periods.map((one) => ({
    from: startOfDay(one.first, timeZone),
    until: startOfDay(one.last, timeZone, 1),
  }));
}

/** Whether a report shows only the fields that it is grouped by. Lists of names count as grouped by no field. */
const IS_GROUPED: { readonly [report in Question['report']]: boolean } = {
  list: false,
  changes: false,
  summary: true,
  performance: true,
  programs: true,
  publishers: true,
};

/** Sorting a list by a field also reveals something about its values. */
function showsField(
  { report, fields, sort, group_by }: Question,
  role: Role,
  field: string,
): boolean {
  if (IS_GROUPED[report]) return group_by.some((grouping) => grouping === field);
  const name = nameOf(role, field);
  if (name === undefined) return false;
  return fields === null || fields.includes(name) || (sort !== null && sortOf(sort).by === name);
}

/** The name of a field in the role's record. Undefined if the role does not see the field. */
const nameOf = (role: Role, field: string): string | undefined =>
  RECORD_FIELDS[role].find((one) => one.field.name === field)?.name;

/**
 * Only the date of creation never changes. Another date may have been different when the report was read, and imports
 * accept dates before the creation.
 */
function isWithin(
  { created, updated }: PersonTransaction,
  dateField: Question['date_field'],
  from: number,
  until: number,
): boolean {
  switch (dateField) {
    case 'created_at':
      return created >= from && created < until;
    case 'updated_at':
      return updated >= from;
    case 'validation_date':
      return true;
  }
}

const isInScope = (
  {
    types,
    publisher_ids,
    program_ids,
  }: Pick<AddedWebhook, 'types' | 'publisher_ids' | 'program_ids'>,
  { type, publisher_id, programs }: PersonTransaction,
): boolean =>
  types.includes(type) &&
  includes(publisher_ids, [publisher_id]) &&
  includes(program_ids, programs);

const includes = (scope: AuditedScope, identifiers: readonly number[]): boolean =>
  scope === 'all' || scope === 'many' || identifiers.some((one) => scope.includes(one));

function passes(
  name: FilterName,
  { filters }: Question,
  transaction: PersonTransaction,
  hash: HashValue,
): boolean {
  const values = filters[name];
  const field = filteredField(name);
  // The status may have been different when the report was read.
  if (values === undefined || values === 'many' || field === 'status') return true;
  const possible = valuesOf(transaction, field);
  const isNamed = (value: string) => values.includes(auditedValue(field, value, hash));
  if (!isExclusion(name)) return possible.some(isNamed);
  return possible.length === 0 || !possible.every(isNamed);
}

/** The values that a transaction has or had. None if it has no value. */
function valuesOf(
  { programs, publisher_id, ...others }: PersonTransaction,
  field: Exclude<FilteredField, 'status'>,
): readonly string[] {
  switch (field) {
    case 'program_id':
      return programs.map(String);
    case 'publisher_id':
      return [String(publisher_id)];
    default: {
      const value = others[field];
      return value === null ? [] : [value];
    }
  }
}

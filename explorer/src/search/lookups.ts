/** Lookups of the search box: the requests that find a typed text as an identifier or as part of a name. */

import { assertNever } from '../../../src/contract/assert-never.ts';
import { FIRST_DAY, LAST_DAY } from '../../../src/contract/query/calendar.ts';
import { readIdentifier } from '../../../src/contract/record/identifier.ts';
import { KINDS } from '../../../src/contract/record/kinds.ts';
import type { Role } from '../../../src/contract/record/records.ts';
import type { ApiQuery } from '../query/api-query.ts';
import { isValid, selectingFilters, textOf } from '../query/filters.ts';
import { MIN_NAME_LENGTH } from '../query-form/values/named-values.ts';

/** The fields in which a typed text is looked up, in the order of the results. */
export const LOOKUPS = [
  'transaction_id',
  'orderid',
  'clickid',
  'subid',
  'program_id',
  'publisher_id',
] as const;

export type Lookup = (typeof LOOKUPS)[number];

/** The lookups by name, and the endpoint of each. */
export const DIRECTORY_OF = {
  program_id: 'programs',
  publisher_id: 'publishers',
} as const satisfies Partial<Record<Lookup, string>>;

export type NameLookup = keyof typeof DIRECTORY_OF;

export const isNameLookup = (name: string): name is NameLookup => Object.hasOwn(DIRECTORY_OF, name);

/** The lookups of a role that need the complete value, and search in the period of the page. */
export const valueLookups = (role: Role): readonly Lookup[] =>
  LOOKUPS.filter(
    (lookup) =>
      lookup !== 'transaction_id' &&
      !isNameLookup(lookup) &&
      selectingFilters(role).includes(lookup),
  );

/** The maximum number of programs, and of publishers, that a search by name finds. */
const MAX_NAMES = 5;

export const searchText = (typed: string): string => typed.trim();

/** The lookups that can find a text, among those that the role has. */
export function lookupsOf(text: string, role: Role): readonly Lookup[] {
  if (text === '') return [];
  return LOOKUPS.filter((lookup) => {
    if (!selectingFilters(role).includes(lookup)) return false;
    if (lookup === 'transaction_id' || lookup === 'orderid') {
      return readIdentifier(text) !== undefined;
    }
    if (isNameLookup(lookup))
      return text.length >= MIN_NAME_LENGTH && isValid('subid', textOf('subid', [text]));
    return isValid(lookup, textOf(lookup, [text]));
  });
}

/** Identifiers of transactions are indexed, so they are searched on all dates, not only in the period of the page. */
const ALL_DATES = { start_date: FIRST_DAY, end_date: LAST_DAY };

/** The parameters of the request: of a list of names, or of a summary over all kinds. */
export function lookupQuery(lookup: Lookup, text: string, period: ApiQuery): ApiQuery {
  const type = KINDS.join(',');
  switch (lookup) {
    case 'transaction_id':
      return { type, ...ALL_DATES, transaction_id: text, group_by: 'type,status,day' };
    case 'orderid':
    case 'clickid':
    case 'subid':
      return { type, ...period, [lookup]: textOf(lookup, [text]), group_by: 'type' };
    case 'program_id':
    case 'publisher_id':
      return { search: text, limit: String(MAX_NAMES) };
    default:
      return assertNever(lookup);
  }
}

/** The period of a query, without its kind and filters. */
export function periodParametersOf({ start_date, end_date, date_field }: ApiQuery): ApiQuery {
  const dates = { start_date: start_date ?? FIRST_DAY, end_date: end_date ?? LAST_DAY };
  return date_field === undefined ? dates : { ...dates, date_field };
}

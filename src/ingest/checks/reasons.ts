/** All reasons for which a row is refused, each with the text that reports show. */

import { KINDS } from '../../contract/record/kinds.ts';
import { STATUS_NAMES, STATUSES } from '../../contract/record/statuses.ts';

/** British English has no comma before "or". */
const oneOf = (values: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values);

const STATUS_CHOICES = STATUSES.map((status) => `${status} (${STATUS_NAMES[status]})`);

/** The maximum number of characters of a text in the directory. */
export const MAX_DIRECTORY_TEXT_LENGTH = 500;

export const REASONS = {
  malformed: 'cannot be read as a row of this format',
  wrong_number_of_cells: 'does not have as many cells as the header',
  unknown_field: 'is not a known field',
  missing: 'is required',
  not_a_kind: `must be ${oneOf(KINDS)}`,
  other_kind: 'differs from the type given by --type',
  not_an_integer: 'must be an integer from 0 to 9007199254740991',
  not_a_decimal: 'must be a decimal number with at most 12 digits before the point',
  too_many_decimals: 'has more than 6 decimals (--round rounds them)',
  not_a_date:
    'must be a date that exists, from 1970 to 2106-02-07 06:28:14 UTC, written YYYY-MM-DD HH:MM:SS',
  has_fraction: 'has a fraction of a second (--round cuts it off)',
  skipped_by_the_clock: 'does not exist in the time zone of the platform: clocks skip this hour',
  beyond_retention: 'is before the first month that RETENTION keeps',
  not_an_address: 'must be an IPv4 or IPv6 address',
  not_a_country: 'must be a country code of ISO 3166-1 alpha-2',
  not_a_status: `must be ${oneOf(STATUS_CHOICES)}`,
  unmapped_code: 'is a code that the mapping does not list',
  not_utf8: 'is not valid UTF-8',
  too_long: `has more than ${MAX_DIRECTORY_TEXT_LENGTH} characters`,
  not_a_url: 'must be a URL that begins with https:// or http://',
  repeated: 'occurs more than once with different values',
  no_meaning: 'does not apply to this type and must be empty',
  validation_date_missing: 'is required when the status is 1',
  validation_date_unexpected: 'must be empty unless the status is 1',
  moved: 'would move the transaction: its type, created_at and publisher_id must never change',
  ambiguous: 'occurs twice with the same updated_at and different values',
} as const satisfies Record<string, string>;

export type Reason = keyof typeof REASONS;

export const REASON_NAMES = Object.keys(REASONS) as readonly Reason[];

/** How the rows of a file are checked: as transactions, or as entries of the directory. */

import { DIRECTORY_FIELDS } from '../../contract/record/directory.ts';
import type { FileSubject } from '../files/known-columns.ts';
import type { Staging } from '../staging/staging.ts';
import type { Check, CheckOptions } from './check.ts';
import { checksOf, checksOfField } from './checks.ts';
import { MAX_DIRECTORY_TEXT_LENGTH, type Reason } from './reasons.ts';
import { emptyIfNull, normalisedColumns, type TextColumns } from './text-columns.ts';

/** The columns of the rows of a file, and their checks. */
export interface RowShape {
  readonly rows: FileSubject;
  /** The columns of a subquery in which every field is text and null is the empty text. */
  readonly normalised: (source: TextColumns) => readonly string[];
  readonly checks: (source: TextColumns, staging: Staging) => readonly Check[];
}

/** Reports rows whose identifier is in the table of conflicts, which was filled before. */
const conflictChecks = (
  { conflicts }: Staging,
  column: string,
  reasons: readonly Reason[],
): readonly Check[] =>
  reasons.map((reason) => ({
    column,
    reason,
    condition: `toUInt64OrZero(${column}) IN (SELECT transaction_id FROM ${conflicts} WHERE reason = '${reason}')`,
  }));

export const transactionShape = (options: CheckOptions): RowShape => ({
  rows: 'transactions',
  normalised: (source) => normalisedColumns(source, options.type),
  checks: (source, staging) => [
    ...checksOf(source, options),
    ...conflictChecks(staging, 'transaction_id', ['moved', 'ambiguous']),
  ],
});

const directoryColumns = (source: TextColumns): readonly string[] =>
  DIRECTORY_FIELDS.map(({ name }) => `${emptyIfNull(source.get(name) ?? "''")} AS ${name}`);

const TEXT_CHECKS: readonly Check[] = [
  ...DIRECTORY_FIELDS.filter(({ type }) => type === 'text').map(
    ({ name }): Check => ({
      column: name,
      reason: 'too_long',
      condition: `lengthUTF8(${name}) > ${MAX_DIRECTORY_TEXT_LENGTH}`,
    }),
  ),
  // A client may show the URL as a link, so it must not be a script.
  {
    column: 'url',
    reason: 'not_a_url',
    condition: "url != '' AND NOT match(url, '^https?://[^\\\\s<>\"]+$')",
  },
];

export const DIRECTORY_SHAPE: RowShape = {
  rows: 'directory',
  normalised: directoryColumns,
  checks: (_, staging) => [
    ...DIRECTORY_FIELDS.flatMap((field) => checksOfField(field, { timeZone: 'UTC', round: false })),
    ...TEXT_CHECKS,
    ...conflictChecks(staging, 'id', ['repeated']),
  ],
};

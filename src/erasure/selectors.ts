/** Defines which transactions an erasure selects, by values of fields such as `userid`, and what it does to them. */

import * as v from 'valibot';
import { assertNever } from '../contract/assert-never.ts';
import { FIELD_NAMED, type FieldName } from '../contract/record/fields.ts';
import { ERASURE_MODES } from '../schema/erasure-tables.ts';

/** The fields by which transactions can be erased. */
export const SELECTOR_FIELDS = [
  'transaction_id',
  'ip_address',
  'clickid',
  'userid',
  'subid',
  'orderid',
] as const satisfies readonly FieldName[];

export type SelectorField = (typeof SELECTOR_FIELDS)[number];

/** Transactions with one of the values in a field. */
export interface Selector {
  readonly field: SelectorField;
  readonly values: readonly string[];
}

/**
 * The most bytes of values in one statement. Servers refuse a parameter above 128 KiB and a URL above 1 MiB. A
 * search binds the values four times, and each byte becomes up to six characters of the URL.
 */
const BYTES_AT_A_TIME = 40_000;

/** The quotation marks and the comma of a value in a parameter. */
const BYTES_AROUND = 3;

/** Divides selectors into batches, whose values fit into one statement. */
export function selectorBatches(selectors: readonly Selector[]): readonly (readonly Selector[])[] {
  const batches: { field: SelectorField; value: string }[][] = [];
  let length = BYTES_AT_A_TIME;
  for (const { field, values } of selectors) {
    for (const value of values) {
      const added = Buffer.byteLength(value) + BYTES_AROUND;
      if (length + added > BYTES_AT_A_TIME) {
        batches.push([]);
        length = 0;
      }
      length += added;
      batches.at(-1)?.push({ field, value });
    }
  }
  return batches.map((batch) =>
    [...Map.groupBy(batch, ({ field }) => field)].map(([field, found]) => ({
      field,
      values: found.map(({ value }) => value),
    })),
  );
}

export const ERASURE_COMMAND = v.strictObject({
  selectors: v.pipe(
    v.array(
      v.strictObject({
        field: v.picklist(SELECTOR_FIELDS),
        values: v.pipe(v.array(v.string()), v.readonly()),
      }),
    ),
    v.readonly(),
  ),
  mode: v.picklist(ERASURE_MODES),
});

/** Transactions that match any of the selectors, and what to do with them. */
export type ErasureCommand = v.InferOutput<typeof ERASURE_COMMAND>;

/**
 * SQL for the canonical text of a value, because the same IP address can be written in several ways.
 * NULL if there is no value.
 */
export function canonicalText(field: SelectorField, value: string): string {
  const { type } = FIELD_NAMED[field];
  switch (type) {
    case 'address':
      return `toString(toIPv6OrNull(${value}))`;
    case 'integer':
      return `toString(${value})`;
    case 'text':
      return value;
    default:
      return assertNever(type);
  }
}

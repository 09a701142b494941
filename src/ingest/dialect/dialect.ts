/** The dialect of a file: its delimiter and encoding, and how its numbers and dates are written. */

import * as v from 'valibot';
import { encodingNamed } from './encoding.ts';

export const DELIMITERS = [',', ';', '\t', '|'] as const;

export type Delimiter = (typeof DELIMITERS)[number];

export const DECIMAL_MARKS = ['.', ','] as const;

export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** In each order the separators may be `/`, `-` or `.`, and a time may follow. */
export const DATE_ORDERS = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** What a mapping or flags say about a file. It takes precedence over what is detected. */
export interface StatedDialect {
  readonly delimiter?: Delimiter | undefined;
  readonly decimal?: DecimalMark | undefined;
  readonly dates?: DateOrder | undefined;
  /** A name of the Encoding Standard. */
  readonly encoding?: string | undefined;
}

const isEncoding = (label: string): boolean => encodingNamed(label) !== undefined;

export const STATED_DIALECT: v.GenericSchema<unknown, StatedDialect> = v.strictObject({
  delimiter: v.optional(v.picklist(DELIMITERS)),
  decimal: v.optional(v.picklist(DECIMAL_MARKS)),
  dates: v.optional(v.picklist(DATE_ORDERS)),
  encoding: v.optional(v.pipe(v.string(), v.check(isEncoding, 'unknown encoding'))),
});

/** How numbers are written if they have grouped digits, a currency or a decimal comma. */
export interface NumberNotation {
  /** Undefined if the sample has no decimals: then no number may have any. */
  readonly decimal: DecimalMark | undefined;
  /** The only currency that numbers may have. */
  readonly currency: string | undefined;
}

/** How values are written. What is undefined is plain: `1234.56` and `2026-01-15 14:03:21`. */
export interface ValueDialect {
  readonly numbers?: NumberNotation | undefined;
  readonly dates?: DateOrder | undefined;
  /** The columns whose values have a type: their numbers are plain. */
  readonly typed?: readonly string[];
}

export const PLAIN: ValueDialect = {};

/** JSON Schemas of the values of query parameters. */

import { COUNTRY_PATTERN, MAX_TEXT_LENGTH } from './parameter-values.ts';

export type Schema = Readonly<Record<string, unknown>>;

export const TEXT_SCHEMA = { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH } as const;

export const DATE_SCHEMA = { type: 'string', format: 'date' } as const;

export const IDENTIFIER_SCHEMA = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

export const COUNTRY_SCHEMA = { type: 'string', pattern: COUNTRY_PATTERN.source } as const;

export const wordSchema = (words: readonly string[]): Schema => ({ type: 'string', enum: words });

export const integerSchema = (minimum: number, maximum: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
});

/** An array as text, with commas between its items. */
export const arraySchema = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 });

/** An array of different words. */
export const sequenceSchema = (words: readonly string[], most = words.length): Schema => ({
  ...arraySchema(wordSchema(words)),
  maxItems: most,
  uniqueItems: true,
});

/** Query parameters of the lists of programs and publishers. */

import { TEXT_SCHEMA } from './parameter-schemas.ts';
import { readText } from './parameter-values.ts';
import { LIST_PARAMETERS, type Parameter, SUMMARY_PARAMETERS } from './parameters.ts';

// biome-ignore format: one parameter a line
export const DIRECTORY_PARAMETERS = {
  search: { meaning: 'Only entries whose name contains this text, regardless of case and accents', example: 'sport', schema: TEXT_SCHEMA, read: (text: string): string => readText(text)[0] ?? '' },
  limit: LIST_PARAMETERS.limit,
  cursor: LIST_PARAMETERS.cursor,
  format: SUMMARY_PARAMETERS.format,
  csv: LIST_PARAMETERS.csv,
} as const satisfies Record<string, Parameter<unknown>>;

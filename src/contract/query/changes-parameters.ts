/** Parameters of the change feed. */

import { CHANGE_FORMATS } from './formats.ts';
import { wordSchema } from './parameter-schemas.ts';
import {
  CHANGE_POSITION_LENGTH,
  CHANGE_POSITION_PATTERN,
  readChangePosition,
  readInteger,
  readOneOf,
} from './parameter-values.ts';
import {
  LIST_PARAMETERS,
  MAX_PAGE_SIZE,
  type Parameter,
  SUMMARY_PARAMETERS,
} from './parameters.ts';

/** The maximum of `wait`, in seconds: many proxies close a connection after a minute. */
const MAX_WAIT = 55;

// biome-ignore format: one parameter a line
export const CHANGES_PARAMETERS = {
  type: SUMMARY_PARAMETERS.type,
  program_id: LIST_PARAMETERS.program_id,
  publisher_id: LIST_PARAMETERS.publisher_id,
  id_lists: LIST_PARAMETERS.id_lists,
  after: { meaning: 'Only changes after this position: the header `Changes-After` of a list with the same programs and publishers, or the link rel="next" of the previous response. Without it, the response has no changes, only a link to those from now on', example: 'A'.repeat(CHANGE_POSITION_LENGTH), schema: { type: 'string', pattern: CHANGE_POSITION_PATTERN.source }, read: readChangePosition },
  limit: { meaning: `The maximum number of changes, 1 to ${MAX_PAGE_SIZE}, by default 1000`, example: '100', schema: LIST_PARAMETERS.limit.schema, read: readInteger(MAX_PAGE_SIZE) },
  wait: { meaning: `If there are no changes yet, the response waits for some, up to this number of seconds: 1 to ${MAX_WAIT}. Proxies must allow responses that take this long`, example: '30', schema: { type: 'integer', minimum: 1, maximum: MAX_WAIT }, read: readInteger(MAX_WAIT) },
  format: { meaning: 'The format of the response. It takes precedence over the header Accept', example: 'ndjson', schema: wordSchema(CHANGE_FORMATS), read: readOneOf(CHANGE_FORMATS) },
} as const satisfies Record<string, Parameter<unknown>>;

/** The table of the parameters of performance. */

import { performanceMeasures, performanceSorts } from '../groups/performance-record.ts';
import type { Role } from '../record/records.ts';
import { COMPARISON_NAMES, COMPARISONS } from './compared-period.ts';
import { TEXT_FORMATS } from './formats.ts';
import { MAX_GROUPINGS, performanceGroupingsOf } from './groupings.ts';
import { integerSchema, sequenceSchema, wordSchema } from './parameter-schemas.ts';
import { readInteger, readOneOf, readSequence } from './parameter-values.ts';
import {
  CSV_PARAMETER,
  ID_LISTS_PARAMETER,
  MAX_OFFSET,
  MAX_PAGE_SIZE,
  type Parameter,
  SHARED_PARAMETERS,
  SUMMARY_PARAMETERS,
} from './parameters.ts';
import { readSort } from './sorting/sort.ts';

const readPerformanceSort = (text: string, role: Role): string =>
  readSort(
    text,
    performanceMeasures(role).map(({ name }) => name),
    'a measure or a ratio, such as "earnings"',
  );

const { start_date, end_date, program_id, publisher_id, subid, country, device_type } =
  SHARED_PARAMETERS;
const {
  exclude_program_id,
  exclude_publisher_id,
  exclude_subid,
  exclude_country,
  exclude_device_type,
} = SHARED_PARAMETERS;
const { names } = SUMMARY_PARAMETERS;

// biome-ignore format: one parameter a line
export const PERFORMANCE_PARAMETERS = {
  start_date,
  end_date,
  program_id,
  publisher_id,
  subid,
  country,
  device_type,
  exclude_program_id,
  exclude_publisher_id,
  exclude_subid,
  exclude_country,
  exclude_device_type,
  group_by: { meaning: `Groups the transactions by up to ${MAX_GROUPINGS} of these, separated by commas, each once: hour, day, week, month, age, or a field such as program_id or country. By default there is one record with the totals of everything`, example: 'program_id', schema: (role) => sequenceSchema(performanceGroupingsOf(role), MAX_GROUPINGS), read: (given, role) => readSequence(performanceGroupingsOf(role), MAX_GROUPINGS)(given) },
  names,
  compare: { meaning: `Adds each measure and ratio of a former period, with former_ before its name. ${COMPARISON_NAMES.map((name) => `${name}: ${COMPARISONS[name]}`).join('; ')}`, example: 'previous', schema: wordSchema(COMPARISON_NAMES), read: readOneOf(COMPARISON_NAMES) },
  sort: { meaning: 'Sorts by a measure or ratio, in descending order with `-` before it. Null is last. By default, and among equal values, records are sorted by the values of `group_by`', example: '-earnings', schema: (role) => wordSchema(performanceSorts(role)), read: readPerformanceSort },
  limit: { meaning: `The maximum number of records of a page, 1 to ${MAX_PAGE_SIZE}. By default the response has all records`, example: '100', schema: integerSchema(1, MAX_PAGE_SIZE), read: readInteger(MAX_PAGE_SIZE) },
  id_lists: ID_LISTS_PARAMETER,
  offset: { meaning: 'The number of records to skip, by default 0', example: '100', schema: integerSchema(0, MAX_OFFSET), read: readInteger(MAX_OFFSET, 0) },
  format: { meaning: 'The format of the response. It takes precedence over the header Accept', example: 'csv', schema: wordSchema(TEXT_FORMATS), read: readOneOf(TEXT_FORMATS) },
  csv: CSV_PARAMETER,
} as const satisfies Record<string, Parameter<unknown>>;

/** Settings of the embedded engine's sessions, as arguments of SET. */

import { literal } from '../../plan/sql.ts';
import { MAX_STATEMENT_LENGTH } from '../engine.ts';
import type { QueryClass } from '../query-class.ts';
import {
  AGGREGATION_SETTINGS,
  FILE_SETTINGS,
  LIST_SETTINGS,
  SCAN_SETTINGS,
  type SettingsTable,
} from '../query-settings.ts';

/** The engine shares the process, so limits must not depend on the memory of the whole process. */
const EMBEDDED = {
  max_bytes_ratio_before_external_group_by: 0,
  max_bytes_ratio_before_external_sort: 0,
};

/**
 * Compiling a part of a statement takes 10 to 30 ms. The engine does it when the same part runs for the third time,
 * but only aggregations of many rows save more than that.
 */
export const NO_COMPILATION: SettingsTable = {
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_regular_expressions: 0,
  compile_sort_description: 0,
};

/** The old analyzer plans small queries faster, with the same result. */
const OLD_ANALYZER: SettingsTable = { enable_analyzer: 0 };

const READ_ONLY: SettingsTable = { readonly: 1 };

const assignments = (...tables: readonly SettingsTable[]): readonly string[] =>
  tables
    .flatMap((table) => Object.entries(table))
    .map(([name, value]) => `${name} = ${typeof value === 'string' ? literal(value) : value}`);

const ofReader = (...tables: readonly SettingsTable[]): readonly string[] =>
  assignments(...tables, EMBEDDED, READ_ONLY);

export const READER_SETTINGS: Readonly<Record<QueryClass, readonly string[]>> = {
  list: ofReader(LIST_SETTINGS, NO_COMPILATION, OLD_ANALYZER),
  summary: ofReader(AGGREGATION_SETTINGS),
  file: ofReader(FILE_SETTINGS, NO_COMPILATION),
  directory: ofReader(LIST_SETTINGS, NO_COMPILATION),
  lookup: ofReader(LIST_SETTINGS, NO_COMPILATION),
  scan: ofReader(SCAN_SETTINGS),
};

export const WRITER_SETTINGS = assignments(
  { max_query_size: MAX_STATEMENT_LENGTH },
  NO_COMPILATION,
);

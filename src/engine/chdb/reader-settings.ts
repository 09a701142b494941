/** Settings of the embedded engine's read-only sessions, as arguments of SET. */

import { literal } from '../../plan/sql.ts';
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

/** The old analyzer plans small queries faster, with the same result. */
const OLD_ANALYZER = 'enable_analyzer = 0';

/** Last, as nothing can be set after it. */
const READ_ONLY = 'readonly = 1';

const assignments = (settings: SettingsTable): readonly string[] =>
  Object.entries({ ...settings, ...EMBEDDED }).map(
    ([name, value]) => `${name} = ${typeof value === 'string' ? literal(value) : value}`,
  );

export const READER_SETTINGS: Readonly<Record<QueryClass, readonly string[]>> = {
  list: [...assignments(LIST_SETTINGS), OLD_ANALYZER, READ_ONLY],
  summary: [...assignments(AGGREGATION_SETTINGS), READ_ONLY],
  file: [...assignments(FILE_SETTINGS), READ_ONLY],
  lookup: [...assignments(LIST_SETTINGS), READ_ONLY],
  scan: [...assignments(SCAN_SETTINGS), READ_ONLY],
};

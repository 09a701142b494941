/** The settings of the embedded engine's sessions that read, as what follows SET. */

import { literal } from '../../plan/sql.ts';
import { ADDED_UP, IN_FILES, IN_ROWS, type SettingsTable } from '../query-settings.ts';

/** The process is not the engine's alone, so that nothing is measured by all its memory. */
const EMBEDDED = {
  max_bytes_ratio_before_external_group_by: 0,
  max_bytes_ratio_before_external_sort: 0,
};

const assignments = (settings: SettingsTable): readonly string[] =>
  Object.entries({ ...settings, ...EMBEDDED }).map(
    ([name, value]) => `${name} = ${typeof value === 'string' ? literal(value) : value}`,
  );

/** What every session that reads is set to before it is made read-only. */
export const READING = assignments(IN_ROWS);
/** The same of those that add up. */
export const SUMMING = assignments(ADDED_UP);
/** The same of those that write files. */
export const EXPORTING = assignments(IN_FILES);
export const READ_ONLY = 'readonly = 1';

/** Plans a report's statement as the newer one does, in less time, which is most of a small one's. */
export const OLDER_ANALYZER = 'enable_analyzer = 0';

/** The JSON text that each row stores: its record with all fields, without the status label. */

import { RECORD_FIELDS } from '../../contract/record/records.ts';
import type { Presentation } from '../list-plan.ts';

/** The separator before each record, so that nothing follows the last one. */
export const RECORD_SEPARATORS = { json: ',\n', ndjson: '\n' } as const;

/** Whether a response consists of the stored texts: it has all fields in their order, as JSON or NDJSON. */
export const usesStoredRecords = ({ role, fields, form }: Presentation): boolean =>
  fields === RECORD_FIELDS[role] && (form === 'json' || form === 'ndjson');

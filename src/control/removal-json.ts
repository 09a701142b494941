/** Retention and erasures as JSON, on the control socket. */

import * as v from 'valibot';
import { KINDS } from '../contract/record/kinds.ts';
import type { RetentionCommand, RetentionReport } from '../database/retain.ts';
import { readValue } from '../read-json.ts';

const KIND = v.picklist(KINDS);

export const ERASURE_GROUPS = v.pipe(
  v.array(v.object({ type: KIND, month: v.string(), transactions: v.number() })),
  v.readonly(),
);

export const ERASURE_REPORT = v.object({ groups: ERASURE_GROUPS, seconds: v.number() });

export const RETENTION_REPORT = v.object({
  keptFrom: v.record(KIND, v.string()),
  removed: v.array(v.object({ month: v.string(), type: KIND, rows: v.number() })),
}) satisfies v.GenericSchema<unknown, RetentionReport>;

/** Strict, because a kind or a flag that this version does not know must not be ignored. */
const COMMAND = v.strictObject({
  retention: v.record(KIND, v.pipe(v.number(), v.integer(), v.minValue(1))),
  isDryRun: v.boolean(),
}) satisfies v.GenericSchema<unknown, RetentionCommand>;

/** Parses the body of a request; throws an UnexpectedJson. */
export const readRetentionCommand = (body: unknown): RetentionCommand => readValue(COMMAND, body);

/** Facts on imports: the first publication, the end of the last successful one, and whether the last one failed. */

import * as v from 'valibot';
import { IMPORT_OUTCOMES, type ImportOutcome } from '../audit/audit-events.ts';
import type { Reader } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { literal, plainStatement } from '../plan/sql.ts';

/** Erasures and removals by retention are published like imports, and have rows in the same table. */
const LAST_IMPORT = select(
  v.object({ ended: INTEGER }),
  plainStatement(`SELECT toUnixTimestamp(max(at)) AS ended FROM imports FINAL
WHERE state = 'done' AND NOT startsWith(id, 'retention-') AND id GLOBAL NOT IN (SELECT id FROM erasures)`),
);

/** Seconds since 1970; undefined without imports. */
export async function lastImportEnd(
  reader: Reader,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const [last] = await reader.rows(LAST_IMPORT, signal);
  // Without rows, the maximum is 0.
  return last?.ended || undefined;
}

/** The last import of transactions or names, if it failed. Imports that their user aborted are ignored. */
export const FAILED_IMPORT = v.object({
  /** When the import ended, in seconds since 1970. */
  ended: v.number(),
  isDiskFull: v.boolean(),
});

export type FailedImport = Readonly<v.InferOutput<typeof FAILED_IMPORT>>;

/** Whether `check` reports the outcome as a failure. If null, the outcome of the import before counts. */
const IS_FAILURE = {
  imported: false,
  refused: false,
  failed: true,
  disk_full: true,
  aborted: null,
} as const satisfies Record<ImportOutcome, boolean | null>;

const DECISIVE = IMPORT_OUTCOMES.filter((outcome) => IS_FAILURE[outcome] !== null);

/** The newest outcome in `DECISIVE`. So outcomes that only a newer version of the service knows are skipped. */
const LAST_OUTCOME = select(
  v.object({ ended: INTEGER, outcome: v.picklist(DECISIVE) }),
  plainStatement(`SELECT toUnixTimestamp(at) AS ended, JSONExtractString(line, 'details', 'outcome') AS outcome
FROM audit WHERE event IN ('import_ended', 'directory_imported') AND audit.at > now() - INTERVAL 7 DAY
  AND outcome IN (${DECISIVE.map(literal).join(', ')})
ORDER BY audit.at DESC LIMIT 1`),
);

/** Looks at the last week only, as the audit log may be large. */
export async function failedImport(reader: Reader): Promise<FailedImport | undefined> {
  const [last] = await reader.rows(LAST_OUTCOME);
  if (last === undefined || !IS_FAILURE[last.outcome]) return undefined;
  return { ended: last.ended, isDiskFull: last.outcome === 'disk_full' };
}

const ORIGIN = select(
  v.object({ origin: INTEGER }),
  plainStatement('SELECT min(number) AS origin FROM publications'),
);

/** The number of the first publication. A copy of the data directory has the same, and a restored backup a new one. */
export async function databaseOrigin(reader: Reader): Promise<number | undefined> {
  const [first] = await reader.rows(ORIGIN);
  return first?.origin || undefined;
}

/** Runs a BACKUP or RESTORE statement of the engine, and reports its progress. */

import * as v from 'valibot';
import { type Engine, EngineFailure } from '../engine/engine.ts';
import { INTEGER, select } from '../plan/select.ts';
import { plainStatement } from '../plan/sql.ts';
import { UserError } from '../user-error.ts';
import type { BackupPlace } from './backup-place.ts';

/** Milliseconds between two reports of progress. */
const INTERVAL = 300;

export interface Transfer {
  readonly server: Engine;
  /** Identifies the backup or restore in the table `system.backups`; unique. */
  readonly id: string;
  /** The statement without the clause `SETTINGS`, which `runTransfer` adds. */
  readonly statement: string;
  readonly settings?: readonly string[];
  readonly places: readonly BackupPlace[];
}

export interface TransferOptions {
  readonly signal: AbortSignal;
  /** Called at intervals with the bytes moved so far, and with the total. */
  readonly onProgress?: (done: number, total: number) => void;
}

const STATE = v.object({ moved: INTEGER, total: INTEGER });

/** Returns the number of bytes that were moved, without those that the base backup has already. */
export async function runTransfer(one: Transfer, options: TransferOptions): Promise<number> {
  const { server, id, statement, settings = [] } = one;
  const text = `${statement} SETTINGS ${[`id = '${id}'`, ...settings].join(', ')}`;
  const state = async () => {
    const found = plainStatement(
      `SELECT if(status IN ('RESTORING', 'RESTORED'), bytes_read, uncompressed_size) AS moved, total_size AS total
FROM system.backups WHERE id = '${id}'`,
    );
    return (await server.rows(select(STATE, found)))[0];
  };
  const reports = setInterval(async () => {
    // A failure here must not fail the statement.
    const now = await state().catch(() => undefined);
    if (now !== undefined) options.onProgress?.(now.moved, now.total);
  }, INTERVAL);
  try {
    await server.execute(plainStatement(text), { signal: options.signal });
  } catch (error) {
    throw explained(error, one.places);
  } finally {
    clearInterval(reports);
  }
  return (await state())?.moved ?? 0;
}

/** Error codes of ClickHouse. */
const ALREADY_EXISTS = 598;
const NOT_FOUND = 599;
const NOT_CONFIGURED = 318;

function explained(error: unknown, places: readonly BackupPlace[]): unknown {
  if (!(error instanceof EngineFailure)) return error;
  switch (error.number) {
    case ALREADY_EXISTS:
      return new UserError(
        `There is already a complete or interrupted backup at ${places[0]?.name}.`,
        'Name another place. A backup never overwrites another.',
        { cause: error },
      );
    case NOT_FOUND:
      return new UserError(
        `There is no complete backup at ${places.at(-1)?.name}, or an earlier one that it needs (--base) is not there.`,
        'Name the directory or the URL that the backup was written to. An interrupted backup cannot be restored.',
        { cause: error },
      );
    case NOT_CONFIGURED:
      return new UserError(
        'The ClickHouse server is not allowed to write backups to its disk.',
        'Set backups.allowed_path in its configuration, or write to s3://bucket/name. See docs/how-to/back-up.md.',
        { cause: error },
      );
    default:
      return error;
  }
}

/** Operations of the command line on a database, such as imports, backups, erasures and the creation of tokens. */

import type { ImportOutcome } from '../audit/audit-events.ts';
import type { TokenStore } from '../auth/new-token.ts';
import type { BackupCommand, BackupOptions, BackupReport } from '../backup/back-up.ts';
import type { DirectoryName } from '../contract/record/directory.ts';
import type { Kind } from '../contract/record/kinds.ts';
import type { RetentionCommand, RetentionOptions, RetentionReport } from '../database/retain.ts';
import { DiskFull } from '../disk/disk-space.ts';
import type { DamagedPart } from '../engine/damaged-parts.ts';
import type { ErasureGroup, ErasureReport } from '../erasure/erase-transactions.ts';
import type { ErasureCommand } from '../erasure/selectors.ts';
import type { DirectoryImportRequest } from '../ingest/directory/import-directory.ts';
import type { ImportFile } from '../ingest/files/import-file.ts';
import { ImportRefused } from '../ingest/import-refused.ts';
import type { ImportReport } from '../ingest/import-report.ts';
import type { StoredAddressVisibility } from '../schema/values/stored-address-visibility.ts';
import type { BlockedSubject } from '../store/blocked-subjects.ts';
import type { FailedImport } from '../store/last-import.ts';
import { UserError } from '../user-error.ts';
import type { WebhookManager } from '../webhooks/operations/webhook-operations.ts';

export interface ImportCommand {
  readonly files: readonly ImportFile[];
  readonly type?: Kind | undefined;
  readonly round: boolean;
  /** Import the valid rows and return the others, instead of refusing all. */
  readonly rejects: boolean;
}

/** The abort reason of an import that the user interrupts. */
export class ImportAborted extends UserError {
  constructor() {
    super('Interrupted: nothing was imported.', 'Run the same command again.');
  }
}

/**
 * The outcome is `refused` if rows were faulty and none was imported. Faulty rows refuse the whole import, unless
 * they are written to a file.
 */
export const outcomeOf = ({ imported, rejected }: ImportReport): ImportOutcome =>
  rejected > 0 && imported === 0 ? 'refused' : 'imported';

export function outcomeOfError(error: unknown): ImportOutcome {
  if (error instanceof DiskFull) return 'disk_full';
  if (error instanceof ImportAborted) return 'aborted';
  return error instanceof ImportRefused ? 'refused' : 'failed';
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((part: number) => void) | undefined;
  readonly onRejected?: ((csv: Uint8Array) => Promise<void>) | undefined;
}

export interface ErasureOptions {
  /** Called before anything is stored, so that no failure can hide an erasure. */
  readonly onBegin?: (() => Promise<void>) | undefined;
}

/** Callbacks of an operator to the service in the same process. */
export interface OperatorEvents {
  /** Called after an erasure, so that copies of rows in memory are dropped. */
  readonly onErased?: () => void;
  /** Called when an import is visible. */
  readonly onImported?: () => void;
}

/** Members are undefined if a server of an earlier version has the database open. */
export interface DatabaseState {
  /** How much of an IP address each role sees. */
  readonly addresses?: StoredAddressVisibility | undefined;
  /** The end of the last import in seconds since 1970, also undefined without imports. */
  readonly lastImport?: number | undefined;
  /** Identifies the database: the first number in its table `publications`. A restored backup has another. */
  readonly origin?: number | undefined;
  /** Damaged parts of an embedded database. */
  readonly damaged?: readonly DamagedPart[] | undefined;
}

export interface Operator extends TokenStore {
  /** The time zone of the database. */
  timeZone(): Promise<string>;
  databaseState(): Promise<DatabaseState>;
  /** The last import, if it failed. Reads a week of the audit log. */
  failedImport(): Promise<FailedImport | undefined>;
  /** A directory for temporary files of imports. */
  readonly workDirectory: string;
  importFiles(command: ImportCommand, options: ImportOptions): Promise<ImportReport>;
  /** Imports entries of the directory. One fault refuses the whole import, so `onRejected` is not called. */
  importDirectory(command: DirectoryImportRequest, options: ImportOptions): Promise<ImportReport>;
  /** The entries of the directory by identifier, as JSON. */
  directoryLines(of: DirectoryName): AsyncIterable<string>;
  backUp(command: BackupCommand, options: BackupOptions): Promise<BackupReport>;
  /** The groups of transactions that an erasure would concern. */
  previewErasure(command: ErasureCommand): Promise<readonly ErasureGroup[]>;
  erase(command: ErasureCommand, options?: ErasureOptions): Promise<ErasureReport>;
  /** Subjects of the identity provider whose tokens are refused. */
  listBlockedSubjects(): Promise<readonly BlockedSubject[]>;
  blockSubject(subject: string): Promise<void>;
  /** False if the subject is not blocked. */
  unblockSubject(subject: string): Promise<boolean>;
  readonly webhooks: WebhookManager;
  retain(command: RetentionCommand, options?: RetentionOptions): Promise<RetentionReport>;
  close(): Promise<void>;
}

/** What an operator can do to a database, in this process or through the one that holds it. */

import type { TokenRecord } from '../auth/token-record.ts';
import type { Kind } from '../contract/record/kinds.ts';
import type { Locale } from '../contract/record/labels.ts';
import type { Role } from '../contract/record/records.ts';
import type { ImportFile } from '../ingest/files/import-file.ts';
import type { ImportReport } from '../ingest/import-report.ts';

export interface ImportCommand {
  readonly files: readonly ImportFile[];
  readonly type?: Kind | undefined;
  readonly round: boolean;
  /** Import the good rows and hand the others over. */
  readonly rejects: boolean;
}

export interface ImportWatch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((part: number) => void) | undefined;
  readonly onRejected?: ((csv: Uint8Array) => Promise<void>) | undefined;
}

export interface TokenOrder {
  readonly role: Role;
  readonly publisherIds: readonly number[];
  readonly programIds: readonly number[];
  readonly locale?: Locale | undefined;
  readonly name?: string | undefined;
  readonly expiresAt?: Date | undefined;
}

/** A token just made: the only moment at which its text is known. */
export interface CreatedToken {
  readonly token: string;
  readonly record: TokenRecord;
}

export interface Operator {
  /** The time zone of the database. */
  timeZone(): Promise<string>;
  /** The directory in which files for an import may be put. */
  readonly workDirectory: string;
  importFiles(order: ImportCommand, watch: ImportWatch): Promise<ImportReport>;
  createToken(order: TokenOrder): Promise<CreatedToken>;
  listTokens(): Promise<readonly TokenRecord[]>;
  /** False where there is no token with this id. */
  revokeToken(id: string): Promise<boolean>;
  close(): Promise<void>;
}

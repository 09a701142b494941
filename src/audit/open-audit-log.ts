/** Opens the audit log of a database, and deletes its expired months now and once a day. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../engine/engine.ts';
import type { Topology } from '../schema/topology.ts';
import { UserError } from '../user-error.ts';
import { AuditLog, type AuditWarnings } from './audit-log.ts';
import { dropExpired } from './audit-retention.ts';
import { AuditFile } from './writing/audit-file.ts';

export interface AuditSettings {
  /** The file of the audit log, in addition to the database. */
  readonly auditLog: string | undefined;
  /** Months for which lines are kept in the database; 0 for ever. */
  readonly auditRetention: number;
}

interface AuditedDatabase {
  readonly engine: Engine;
  readonly topology: Topology;
  readonly keys: { readonly audit: Buffer };
  /** The directory of an embedded database. */
  readonly directory: string | undefined;
}

const DAY = 86_400_000;

export interface OpenAuditLog {
  readonly log: AuditLog;
  close(): Promise<void>;
}

/** The file is opened when its first line is written. Call `checkAuditFile` before, to fail early. */
export async function openAuditLog(
  database: AuditedDatabase,
  { auditLog: path, auditRetention: months }: AuditSettings,
  warnings: AuditWarnings,
  clock = () => new Date(),
): Promise<OpenAuditLog> {
  const directory = database.directory && join(database.directory, 'audit-lines');
  await removeDirectory(directory);
  const target = { engine: database.engine, directory };
  const file = path === undefined ? undefined : new AuditFile(path);
  const log = new AuditLog({ target, file, key: database.keys.audit, warnings });
  const expire = async () => {
    try {
      const expired = await dropExpired(database, months, clock());
      if (expired.length === 0) return;
      log.record({ event: 'audit_expired', details: { months: [...expired] } });
    } catch (error) {
      warnings.warn({ err: error }, 'expired months of the audit log were not deleted');
    }
  };
  let expiring = months === 0 ? Promise.resolve() : expire();
  const daily = setInterval(() => {
    if (months > 0) expiring = expire();
  }, DAY).unref();
  return {
    log,
    async close() {
      clearInterval(daily);
      await expiring;
      await log.close();
      await removeDirectory(directory);
    },
  };
}

/** Removes the temporary files of lines. Lines that a killed process has left in them are lost. */
async function removeDirectory(directory: string | undefined): Promise<void> {
  if (directory !== undefined) await rm(directory, { recursive: true, force: true });
}

/** Throws a UserError if the file cannot be opened: a service must not run without its audit log. */
export async function checkAuditFile({ auditLog: path }: AuditSettings): Promise<void> {
  if (path === undefined) return;
  const file = new AuditFile(path);
  await file.open().catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      `The audit log cannot be written to ${path}: ${reason}.`,
      'Set AUDIT_LOG to a file in an existing directory that the user of this command can write to.',
      { cause },
    );
  });
  await file.close();
}

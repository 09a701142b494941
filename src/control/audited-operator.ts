/** Writes what operators do to the audit log, and reads the audit log for them. */

import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '../audit/audit-events.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { auditedSelectors } from '../audit/audit-question.ts';
import { type AuditQuery, readAudit } from '../audit/read-audit.ts';
import { linkCreated, tokenCreated, tokenRevoked } from '../audit/token-events.ts';
import type { NewToken } from '../auth/new-token.ts';
import type { BackupCommand, BackupOptions } from '../backup/back-up.ts';
import type { DirectoryName } from '../contract/record/directory.ts';
import type { Database } from '../database/open-database.ts';
import type { RetentionCommand, RetentionOptions } from '../database/retain.ts';
import type { ErasureCommand } from '../erasure/selectors.ts';
import type { DirectoryImportRequest } from '../ingest/directory/import-directory.ts';
import { AuditedWebhooks } from '../webhooks/operations/audited-webhooks.ts';
import {
  type ImportCommand,
  type ImportOptions,
  type Operator,
  outcomeOf,
  outcomeOfError,
} from './operator.ts';
import { userName } from './user-name.ts';

/** An operator that can also read the audit log, as lines of JSON. */
export type AuditReadingOperator = Operator & Pick<AuditedOperator, 'auditLines'>;

interface AuditedOperatorDeps {
  readonly database: Pick<Database, 'engine' | 'timeZone'>;
  readonly log: AuditLog;
  /** Closes the audit log. Called before the database is closed. */
  readonly closeLog: () => Promise<void>;
}

export class AuditedOperator implements Operator {
  readonly #operator: Operator;
  readonly #deps: AuditedOperatorDeps;
  readonly #user = userName();
  readonly webhooks: AuditedWebhooks;

  constructor(operator: Operator, deps: AuditedOperatorDeps) {
    this.#operator = operator;
    this.#deps = deps;
    const record = async (event: AuditEvent) => await this.#record(event);
    this.webhooks = new AuditedWebhooks(operator.webhooks, { user: this.#user, record });
  }

  get workDirectory() {
    return this.#operator.workDirectory;
  }

  async importFiles(command: ImportCommand, options: ImportOptions) {
    const own = { user: this.#user, run: randomUUID() };
    await this.#record({
      event: 'import_started',
      details: { ...own, files: command.files.length },
    });
    try {
      const report = await this.#operator.importFiles(command, options);
      const { rows, imported, rejected, seconds } = report;
      const details = { ...own, outcome: outcomeOf(report), rows, imported, rejected, seconds };
      await this.#record({ event: 'import_ended', details });
      return report;
    } catch (error) {
      const outcome = outcomeOfError(error);
      const nothing = { rows: null, imported: 0, rejected: null, seconds: null };
      await this.#record({ event: 'import_ended', details: { ...own, outcome, ...nothing } });
      throw error;
    }
  }

  async importDirectory(command: DirectoryImportRequest, options: ImportOptions) {
    const own = { user: this.#user, of: command.of, replace: command.replace };
    try {
      const report = await this.#operator.importDirectory(command, options);
      const { rows, imported, rejected, deleted = 0 } = report;
      const outcome = rejected > 0 ? 'refused' : 'imported';
      const details = { ...own, outcome, rows, imported, rejected, deleted } as const;
      await this.#record({ event: 'directory_imported', details });
      return report;
    } catch (error) {
      const outcome = outcomeOfError(error);
      const nothing = { rows: null, imported: 0, rejected: null, deleted: 0 };
      await this.#record({ event: 'directory_imported', details: { ...own, outcome, ...nothing } });
      throw error;
    }
  }

  directoryLines(of: DirectoryName) {
    return this.#operator.directoryLines(of);
  }

  async backUp(command: BackupCommand, options: BackupOptions) {
    const report = await this.#operator.backUp(command, options);
    const { transactions } = report;
    await this.#record({ event: 'backup_written', details: { user: this.#user, transactions } });
    return report;
  }

  async previewErasure(command: ErasureCommand) {
    return await this.#operator.previewErasure(command);
  }

  /** Records the erasure also before it stores anything, because it may fail or its process may die after that. */
  async erase(command: ErasureCommand) {
    const selectors = auditedSelectors(command.selectors, this.#deps.log.hash);
    const own = { user: this.#user, run: randomUUID(), mode: command.mode, selectors };
    const onBegin = async () => await this.#record({ event: 'erasure_started', details: own });
    const report = await this.#operator.erase(command, { onBegin });
    const { groups, seconds } = report;
    const transactions = groups.reduce((sum, group) => sum + group.transactions, 0);
    await this.#record({
      event: 'transactions_erased',
      details: { ...own, transactions, seconds },
    });
    return report;
  }

  async listBlockedSubjects() {
    return await this.#operator.listBlockedSubjects();
  }

  async blockSubject(subject: string) {
    await this.#operator.blockSubject(subject);
    await this.#record({ event: 'subject_blocked', details: { user: this.#user, subject } });
  }

  async unblockSubject(subject: string) {
    const isFound = await this.#operator.unblockSubject(subject);
    const details = { user: this.#user, subject };
    if (isFound) await this.#record({ event: 'subject_unblocked', details });
    return isFound;
  }

  async createToken(newToken: NewToken) {
    const created = await this.#operator.createToken(newToken);
    await this.#record(tokenCreated(created.record, this.#user));
    return created;
  }

  async createLink(newToken: NewToken) {
    const created = await this.#operator.createLink(newToken);
    await this.#record(linkCreated(created.record, this.#user));
    return created;
  }

  async listTokens() {
    return await this.#operator.listTokens();
  }

  async revokeToken(id: string) {
    const isFound = await this.#operator.revokeToken(id);
    if (isFound) await this.#record(tokenRevoked(id, this.#user));
    return isFound;
  }

  async *auditLines(query: AuditQuery) {
    const { database, log } = this.#deps;
    await log.flush();
    yield* readAudit({ ...database, hash: log.hash }, query);
  }

  /** Records each month right before its rows disappear, because the process may die right after that. */
  async retain(command: RetentionCommand, options: RetentionOptions = {}) {
    return await this.#operator.retain(command, {
      onMonth: async (removed) => {
        const month = (removed[0]?.month ?? '').replace(/^\d{4}/, '$&-');
        const rows = Object.fromEntries(removed.map((one) => [one.type, one.rows]));
        await this.#record({ event: 'month_removed', details: { user: this.#user, month, rows } });
        await options.onMonth?.(removed);
      },
    });
  }

  async timeZone() {
    return await this.#operator.timeZone();
  }

  async databaseState() {
    return await this.#operator.databaseState();
  }

  async failedImport() {
    return await this.#operator.failedImport();
  }

  async close() {
    await this.#deps.closeLog();
    await this.#operator.close();
  }

  /** Writes the line at once, because these events are rare and important. A failure is only a warning. */
  async #record(event: AuditEvent): Promise<void> {
    this.#deps.log.record(event);
    await this.#deps.log.flush();
  }
}

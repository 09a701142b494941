/** Operator that also counts imports, and the months and rows that retention removes. */

import type { NewToken } from '../auth/new-token.ts';
import type { BackupCommand, BackupOptions } from '../backup/back-up.ts';
import type { DirectoryName } from '../contract/record/directory.ts';
import {
  type ImportCommand,
  type ImportOptions,
  type Operator,
  outcomeOf,
  outcomeOfError,
} from '../control/operator.ts';
import type { ErasureCommand } from '../erasure/selectors.ts';
import type { ImportReport } from '../ingest/import-report.ts';
import type { Metrics } from '../metrics/metrics.ts';

type RetainCommand = Parameters<Operator['retain']>[0];
type RetainOptions = Parameters<Operator['retain']>[1];

export class MeteredOperator implements Operator {
  readonly #operator: Operator;
  readonly #metrics: Metrics;

  constructor(operator: Operator, metrics: Metrics) {
    this.#operator = operator;
    this.#metrics = metrics;
  }

  get workDirectory() {
    return this.#operator.workDirectory;
  }

  get webhooks() {
    return this.#operator.webhooks;
  }

  async importFiles(command: ImportCommand, options: ImportOptions) {
    try {
      const report = await this.#operator.importFiles(command, options);
      this.#countReport(report);
      return report;
    } catch (error) {
      this.#metrics.count('transactions_imports_total', { result: outcomeOfError(error) });
      throw error;
    }
  }

  #countReport(report: ImportReport): void {
    const { imported, rejected, seconds } = report;
    this.#metrics.count('transactions_imports_total', { result: outcomeOf(report) });
    this.#metrics.count('transactions_import_rows_total', { result: 'imported' }, imported);
    this.#metrics.count('transactions_import_rows_total', { result: 'rejected' }, rejected);
    this.#metrics.observe('transactions_import_seconds', {}, seconds);
  }

  async importDirectory(...given: Parameters<Operator['importDirectory']>) {
    return await this.#operator.importDirectory(...given);
  }

  directoryLines(of: DirectoryName) {
    return this.#operator.directoryLines(of);
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

  async backUp(command: BackupCommand, options: BackupOptions) {
    return await this.#operator.backUp(command, options);
  }

  async previewErasure(command: ErasureCommand) {
    return await this.#operator.previewErasure(command);
  }

  async erase(...given: Parameters<Operator['erase']>) {
    return await this.#operator.erase(...given);
  }

  async createToken(newToken: NewToken) {
    return await this.#operator.createToken(newToken);
  }

  async createLink(newToken: NewToken) {
    return await this.#operator.createLink(newToken);
  }

  async listTokens() {
    return await this.#operator.listTokens();
  }

  async revokeToken(id: string) {
    return await this.#operator.revokeToken(id);
  }

  async listBlockedSubjects() {
    return await this.#operator.listBlockedSubjects();
  }

  async blockSubject(subject: string) {
    await this.#operator.blockSubject(subject);
  }

  async unblockSubject(subject: string) {
    return await this.#operator.unblockSubject(subject);
  }

  async retain(command: RetainCommand, options: RetainOptions = {}) {
    return await this.#operator.retain(command, {
      onMonth: async (removed) => {
        for (const { type, rows } of removed) {
          this.#metrics.count('transactions_retention_months_total', { type });
          this.#metrics.count('transactions_retention_rows_total', { type }, rows);
        }
        await options.onMonth?.(removed);
      },
    });
  }

  async close() {
    await this.#operator.close();
  }
}

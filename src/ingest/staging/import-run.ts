/** Fills the staging tables of one import: by the fast path, or row by row if anything is wrong. */

import * as v from 'valibot';
import type { ExecuteOptions } from '../../engine/engine.ts';
import { NEVER_ABORTED } from '../../engine/never-aborted.ts';
import { TABLE_OF } from '../../plan/report-table.ts';
import { INTEGER, type RowSchema, select } from '../../plan/select.ts';
import { plainStatement } from '../../plan/sql.ts';
import { awaitReplication } from '../../schema/cluster-nodes.ts';
import { localTable } from '../../schema/topology.ts';
import { storeConflicts } from '../checks/conflicts.ts';
import { type NumberedRows, rejectedRowsSql } from '../checks/row-faults.ts';
import { transactionShape } from '../checks/row-shape.ts';
import type { OpenedFile } from '../files/open-files.ts';
import type { ImportReport } from '../import-report.ts';
import type { ImportDeps, ImportRequest } from '../import-request.ts';
import {
  type ErasureCounts,
  type ErasureInput,
  erasureCounts,
  resetErasureCounts,
} from './apply-erasures.ts';
import { findingsOf } from './findings.ts';
import {
  loadNumberedRows,
  type StageOptions,
  stageFast,
  stageNumberedRows,
} from './stage-files.ts';
import { emptyStaging, type Staging, stagedTables } from './staging.ts';

type Findings = Pick<
  ImportReport,
  'rows' | 'rejected' | 'emptied' | 'removed' | 'reasons' | 'faults'
>;

export class ImportRun {
  readonly #request: ImportRequest;
  readonly #deps: ImportDeps;
  readonly #staging: Staging;
  readonly #files: readonly OpenedFile[];
  readonly #options: StageOptions;

  constructor(
    request: ImportRequest,
    deps: ImportDeps,
    staging: Staging,
    files: readonly OpenedFile[],
    erasureInput: ErasureInput | undefined,
  ) {
    this.#request = request;
    this.#deps = deps;
    this.#staging = staging;
    this.#files = files;
    const { type, round } = request;
    const { timeZone, keptFrom } = deps;
    this.#options = { timeZone, keptFrom, type, round, erasureInput };
  }

  /** Stages all files by the fast path. If it finds a fault, the files are read again row by row, to locate it. */
  async stage(): Promise<Findings> {
    if ((await this.#stageAllFast()) && (await this.#conflicts()) === 0) {
      const erased = await this.#erasureCounts();
      const rows = (await this.#stagedRows()) + erased.removed;
      return { rows, rejected: 0, ...erased, reasons: {}, faults: [] };
    }
    return await this.#stageExactly();
  }

  async #stageAllFast(): Promise<boolean> {
    const { engine } = this.#deps.nodes;
    for (const [at, file] of this.#files.entries()) {
      const execution = this.#executionOf(at);
      if (!(await stageFast(engine, this.#staging, file, this.#options, execution))) return false;
    }
    return true;
  }

  async #stageExactly(): Promise<Findings> {
    const { nodes, workDirectory } = this.#deps;
    for (const numbered of this.#numberedRows()) {
      await loadNumberedRows(
        nodes.engine,
        numbered,
        workDirectory,
        this.#executionOf(numbered.file),
      );
    }
    await this.#stageNumberedRows();
    if ((await this.#conflicts()) > 0) await this.#stageNumberedRows();
    const findings = await this.#findings();
    if (findings.rejected > 0) await this.#handOverRejected();
    return findings;
  }

  async #stageNumberedRows(): Promise<void> {
    const { nodes, signal } = this.#deps;
    await emptyStaging(nodes, this.#staging);
    if (this.#options.erasureInput) await resetErasureCounts(nodes, this.#staging);
    for (const numbered of this.#numberedRows())
      await stageNumberedRows(nodes.engine, numbered, this.#options, { signal });
  }

  async #conflicts(): Promise<number> {
    const { nodes, rowsAtATime } = this.#deps;
    const staged = stagedTables(nodes.topology, this.#staging).map(({ table }) => table);
    // Staged rows are compared with those that one replica has stored.
    await awaitReplication(nodes, [...staged, localTable(nodes.topology, TABLE_OF.admin)]);
    return await storeConflicts(nodes.engine, this.#staging, rowsAtATime);
  }

  async #findings(): Promise<Findings> {
    const found = await findingsOf(this.#deps.nodes.engine, this.#numberedRows());
    return { ...found, ...(await this.#erasureCounts()) };
  }

  async #erasureCounts(): Promise<ErasureCounts> {
    if (this.#options.erasureInput === undefined) return { emptied: 0, removed: 0 };
    return await erasureCounts(this.#deps.nodes, this.#staging);
  }

  async #handOverRejected(): Promise<void> {
    const { onRejected } = this.#request;
    const { nodes, signal = NEVER_ABORTED } = this.#deps;
    if (onRejected === undefined) return;
    for (const numbered of this.#numberedRows()) {
      const text = plainStatement(rejectedRowsSql(numbered));
      for await (const block of nodes.engine.read(text, signal)) await onRejected(block);
    }
  }

  async #stagedRows(): Promise<number> {
    const text = `SELECT count() AS rows FROM ${this.#staging.transactions}`;
    return (await this.#rows(v.object({ rows: INTEGER }), text))[0]?.rows ?? 0;
  }

  async #rows<Row>(row: RowSchema<Row>, text: string): Promise<readonly Row[]> {
    return await this.#deps.nodes.engine.rows(select(row, plainStatement(text)));
  }

  #numberedRows(): readonly NumberedRows[] {
    return this.#files.map((opened, file) => ({
      ...opened,
      staging: this.#staging,
      file,
      shape: transactionShape(this.#options),
    }));
  }

  #executionOf(at: number): ExecuteOptions {
    const { signal, onProgress } = this.#deps;
    const sizes = this.#files.map(({ source }) => source.bytes);
    const total = sizes.reduce((all, bytes) => all + bytes, 0);
    const before = sizes.slice(0, at).reduce((all, bytes) => all + bytes, 0);
    return {
      signal,
      onProgress: onProgress && ((bytes) => onProgress(Math.min((before + bytes) / total, 0.99))),
    };
  }
}

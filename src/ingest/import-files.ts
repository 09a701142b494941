/** Imports files of transactions: every row checked, all of them visible at once or none. */

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Kind } from '../contract/kinds.ts';
import { command } from '../plan/sql.ts';
import type { Engine, Watch } from '../store/engine.ts';
import { findConflicts } from './conflicts.ts';
import { faultCounts, firstFaults, type KeptRows, rejectedRows, rowCounts } from './faulty-rows.ts';
import type { ImportReport, RowFault } from './import-report.ts';
import { checkColumns } from './known-columns.ts';
import { publish } from './publishing.ts';
import type { Reason } from './reasons.ts';
import { type SourceFile, sourceFile } from './source-file.ts';
import { keepRows, type StageOptions, stageFast, stageKept } from './stage-files.ts';
import { createStaging, dropStaging, emptyStaging, type Staging, stagingOf } from './staging.ts';

export interface ImportRequest {
  /** Where each file is, and the name by which the operator knows it. */
  readonly files: readonly { readonly path: string; readonly name: string }[];
  /** The type of all rows. */
  readonly type: Kind | undefined;
  /** Round decimals beyond the sixth instead of refusing them. */
  readonly round: boolean;
  /** Import the good rows and hand over the others as CSV; without it any wrong row refuses all. */
  readonly onRejected?: ((csv: Uint8Array) => Promise<void>) | undefined;
}

export interface ImportSurroundings {
  readonly engine: Engine;
  readonly timeZone: string;
  /** A directory for what is needed in between. */
  readonly workDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with the part that is read, from 0 to 1, as far as it can be told. */
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** How many wrong values a report names. */
const FAULTS_NAMED = 20;

const never = new AbortController().signal;

/** Imports all files as one; a report with `imported: 0` and faults means that nothing was changed. */
export async function importFiles(
  request: ImportRequest,
  surroundings: ImportSurroundings,
): Promise<ImportReport> {
  const started = performance.now();
  const sources = await Promise.all(request.files.map(({ path, name }) => sourceFile(path, name)));
  for (const { name, form } of sources) {
    if (form.format === 'csv') checkColumns(name, form.columns, request.type !== undefined);
  }
  const staging = stagingOf(randomBytes(8).toString('hex'));
  const run = new ImportRun(request, surroundings, staging, sources);
  await mkdir(surroundings.workDirectory, { recursive: true, mode: 0o700 });
  try {
    await createStaging(surroundings.engine, staging);
    const found = await run.stage();
    const refused = found.rejected > 0 && request.onRejected === undefined;
    if (!refused) await publish(surroundings.engine, staging);
    const seconds = (performance.now() - started) / 1000;
    const imported = refused ? 0 : found.rows - found.rejected;
    return { id: staging.id, files: sources.length, ...found, imported, seconds };
  } finally {
    await dropStaging(surroundings.engine, staging);
  }
}

type Findings = Pick<ImportReport, 'rows' | 'rejected' | 'reasons' | 'faults'>;

class ImportRun {
  readonly #request: ImportRequest;
  readonly #surroundings: ImportSurroundings;
  readonly #staging: Staging;
  readonly #sources: readonly SourceFile[];
  readonly #options: StageOptions;

  constructor(
    request: ImportRequest,
    surroundings: ImportSurroundings,
    staging: Staging,
    sources: readonly SourceFile[],
  ) {
    this.#request = request;
    this.#surroundings = surroundings;
    this.#staging = staging;
    this.#sources = sources;
    this.#options = { timeZone: surroundings.timeZone, type: request.type, round: request.round };
  }

  /** The engine reads good files by itself; whatever is wrong is then looked for row by row. */
  async stage(): Promise<Findings> {
    const { engine } = this.#surroundings;
    if (await this.#stageAllFast()) {
      if ((await findConflicts(engine, this.#staging)) === 0) {
        return { rows: await this.#stagedRows(), rejected: 0, reasons: {}, faults: [] };
      }
    }
    return await this.#stageExactly();
  }

  async #stageAllFast(): Promise<boolean> {
    for (const [at, source] of this.#sources.entries()) {
      const watch = this.#watch(at);
      const isGood = await stageFast(
        this.#surroundings.engine,
        this.#staging,
        source,
        this.#options,
        watch,
      );
      if (!isGood) return false;
    }
    return true;
  }

  async #stageExactly(): Promise<Findings> {
    const { engine, workDirectory } = this.#surroundings;
    for (const kept of this.#kept())
      await keepRows(engine, kept, workDirectory, this.#watch(kept.file));
    await this.#stageKept();
    if ((await findConflicts(engine, this.#staging)) > 0) await this.#stageKept();
    const findings = await this.#findings();
    if (findings.rejected > 0) await this.#handOverRejected();
    return findings;
  }

  async #stageKept(): Promise<void> {
    const { engine, signal } = this.#surroundings;
    await emptyStaging(engine, this.#staging);
    for (const kept of this.#kept()) await stageKept(engine, kept, this.#options, { signal });
  }

  async #findings(): Promise<Findings> {
    const reasons: Partial<Record<Reason, number>> = {};
    const faults: RowFault[] = [];
    let rows = 0;
    let rejected = 0;
    for (const kept of this.#kept()) {
      for (const count of await this.#rows<{ rows: number; faulty: number }>(rowCounts(kept))) {
        rows += count.rows;
        rejected += count.faulty;
      }
      for (const { reason, times } of await this.#rows<{ reason: Reason; times: number }>(
        faultCounts(kept),
      )) {
        reasons[reason] = (reasons[reason] ?? 0) + times;
      }
      const left = FAULTS_NAMED - faults.length;
      const first = await this.#rows<Omit<RowFault, 'file'>>(firstFaults(kept, left));
      faults.push(...first.map((fault) => ({ file: kept.source.name, ...fault })));
    }
    return { rows, rejected, reasons, faults };
  }

  async #handOverRejected(): Promise<void> {
    const { onRejected } = this.#request;
    const { engine, signal = never } = this.#surroundings;
    if (onRejected === undefined) return;
    for (const kept of this.#kept()) {
      const text = command(rejectedRows(kept, kept.source.name));
      for await (const block of engine.read(text, signal)) await onRejected(block);
    }
  }

  async #stagedRows(): Promise<number> {
    const text = `SELECT count() AS rows FROM ${this.#staging.transactions}`;
    return (await this.#rows<{ rows: number }>(text))[0]?.rows ?? 0;
  }

  async #rows<Row>(text: string): Promise<readonly Row[]> {
    return (await this.#surroundings.engine.rows(command(text))) as readonly Row[];
  }

  #kept(): readonly KeptRows[] {
    return this.#sources.map((source, file) => ({
      staging: this.#staging,
      file,
      source,
      options: this.#options,
    }));
  }

  #watch(at: number): Watch {
    const { signal, onProgress } = this.#surroundings;
    const total = this.#sources.reduce((all, { bytes }) => all + bytes, 0);
    const before = this.#sources.slice(0, at).reduce((all, { bytes }) => all + bytes, 0);
    return {
      signal,
      onProgress: onProgress && ((bytes) => onProgress(Math.min((before + bytes) / total, 0.99))),
    };
  }
}

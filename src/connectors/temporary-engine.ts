/** The engine by which a source is read: its own, without a database and without a log. */

import { join } from 'node:path';
import { openChdb } from '../engine/chdb/open-chdb.ts';
import type { Engine } from '../engine/engine.ts';
import { type RowSchema, select } from '../plan/select.ts';
import { command, literal } from '../plan/sql.ts';

/** A source that does not answer is told soon. */
const REACHING_OUT = [
  's3_retry_attempts = 2',
  's3_max_single_read_retries = 2',
  // An empty file is told to be one.
  's3_skip_empty_files = 0',
];

export class TemporaryEngine {
  readonly #engine: Engine;
  readonly #onProgress: (bytes: number) => void;
  #answers = 0;

  private constructor(engine: Engine, onProgress: (bytes: number) => void) {
    this.#engine = engine;
    this.#onProgress = onProgress;
  }

  static async open(directory: string, onProgress: (bytes: number) => void) {
    return new TemporaryEngine(await openChdb(join(directory, 'engine')), onProgress);
  }

  /** A small answer; whoever only reads may not reach out, so it goes through a table in memory. */
  async rows<Row>(schema: RowSchema<Row>, query: string): Promise<readonly Row[]> {
    this.#answers += 1;
    const table = `answer_${this.#answers}`;
    const text = `CREATE TABLE ${table} ENGINE = Memory AS ${query} SETTINGS ${REACHING_OUT.join(', ')}`;
    await this.#engine.execute(command(text));
    return await this.#engine.rows(select(schema, command(`SELECT * FROM ${table}`)));
  }

  /** Writes an answer to a file, in its order. */
  async write(select: string, path: string, format: string, settings: readonly string[] = []) {
    const compression = path.endsWith('.zst') ? 'zstd' : 'none';
    const text = `INSERT INTO FUNCTION file(${literal(path)}, '${format}', 'auto', '${compression}')
${select} SETTINGS ${[...REACHING_OUT, 'max_threads = 1', ...settings].join(', ')}`;
    await this.#engine.execute(command(text), { onProgress: this.#onProgress });
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }
}

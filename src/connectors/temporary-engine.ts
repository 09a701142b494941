/** A temporary embedded engine that reads a source, with a data directory of its own. */

import { join } from 'node:path';
import { openChdb } from '../engine/chdb/open-chdb.ts';
import type { Engine } from '../engine/engine.ts';
import { type RowSchema, select } from '../plan/select.ts';
import { literal, plainStatement } from '../plan/sql.ts';

/** Few retries, so that a source that does not answer is reported soon. */
const NETWORK_SETTINGS = [
  's3_retry_attempts = 2',
  's3_max_single_read_retries = 2',
  // Empty objects are reported as empty files.
  's3_skip_empty_files = 0',
  // Seconds that MySQL may compute a view before it sends the first row. After that, the engine would send the query
  // again, five times. The default is 5 minutes.
  'external_storage_rw_timeout_sec = 3600',
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

  /** Rows of a small result. They go through a table in memory, because read-only sessions cannot use the network. */
  async rows<Row>(schema: RowSchema<Row>, query: string): Promise<readonly Row[]> {
    this.#answers += 1;
    const table = `answer_${this.#answers}`;
    const text = `CREATE TABLE ${table} ENGINE = Memory AS ${query} SETTINGS ${NETWORK_SETTINGS.join(', ')}`;
    await this.#engine.execute(plainStatement(text));
    return await this.#engine.rows(select(schema, plainStatement(`SELECT * FROM ${table}`)));
  }

  /** Writes the result of a query to a file, in the order of its rows. */
  async write(select: string, path: string, format: string, settings: readonly string[] = []) {
    const compression = path.endsWith('.zst') ? 'zstd' : 'none';
    const text = `INSERT INTO FUNCTION file(${literal(path)}, '${format}', 'auto', '${compression}')
${select} SETTINGS ${[...NETWORK_SETTINGS, 'max_threads = 1', ...settings].join(', ')}`;
    await this.#engine.execute(plainStatement(text), { onProgress: this.#onProgress });
  }

  async close(): Promise<void> {
    await this.#engine.close();
  }
}

/** Knows whether what answers are read from has changed since they were read. */

import type { Selection } from '../plan/report-plan.ts';
import { stateStatement } from '../plan/state-statement.ts';
import type { Reader } from './engine.ts';

/** The most states that are remembered. */
const MOST_REMEMBERED = 1000;

/** The states of the rows that selections may touch, as far as the engine is to be asked for them. */
export class DataStates {
  readonly #reader: Reader;
  readonly #remembered = new Map<string, Promise<string>>();
  #state: number | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** A text that is the same only while no row of the table that the selection is about has changed. */
  async stateOf(selection: Selection, table: string): Promise<string> {
    const { state } = this.#reader;
    // Where others may write, only the engine knows.
    if (state === undefined) return await this.#asked(selection, table);
    if (state !== this.#state || this.#remembered.size > MOST_REMEMBERED) this.#remembered.clear();
    this.#state = state;
    const { dateField, from, until } = selection;
    const key = dateField === 'created_at' ? `${table} ${from} ${until}` : table;
    const known = this.#remembered.get(key) ?? this.#asked(selection, table);
    this.#remembered.set(key, known);
    known.catch(() => this.#remembered.delete(key));
    return await known;
  }

  async #asked(selection: Selection, table: string): Promise<string> {
    const rows = (await this.#reader.rows(stateStatement(selection, table))) as readonly {
      state: string;
    }[];
    return rows[0]?.state ?? '';
  }
}

/** Knows whether what answers are read from has changed since they were read. */

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reader } from '../engine/engine.ts';
import type { Selection } from '../plan/report-plan.ts';
import { versionStatement } from '../plan/version-statement.ts';

/** Stands for the state of a server that does not answer. */
const OUT = 'out';

/** Milliseconds that a server has to tell its state, and for which it is not asked after that. */
const PATIENCE = 500;
const OUT_FOR = 5000;

/** The most states that are remembered. */
const MOST_REMEMBERED = 1000;

/** The states of tables, as far as selections may touch their rows and the engine is to be asked for them. */
export class TableVersions {
  readonly #reader: Reader;
  readonly #remembered = new Map<string, Promise<string>>();
  readonly #outUntil = new Map<Reader, number>();
  #state: number | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** A text that is the same only while no row of the tables that the selection is about has changed. */
  async stateOf(selection: Selection, tables: readonly string[]): Promise<string> {
    const { state } = this.#reader;
    // Where others may write, only the engine knows.
    if (state === undefined) return await this.#asked(selection, tables);
    if (state !== this.#state || this.#remembered.size > MOST_REMEMBERED) this.#remembered.clear();
    this.#state = state;
    const { dateField, from, until } = selection;
    const key = [tables, ...(dateField === 'created_at' ? [from, until] : [])].join(' ');
    const known = this.#remembered.get(key) ?? this.#asked(selection, tables);
    this.#remembered.set(key, known);
    known.catch(() => this.#remembered.delete(key));
    return await known;
  }

  /** Any of several servers may give the rows, so the state is that of all of them. */
  async #asked(selection: Selection, tables: readonly string[]): Promise<string> {
    const { servers } = this.#reader;
    if (servers === undefined) return await askedOf(this.#reader, selection, tables);
    const parts = tables.map(servers.partOf);
    const asked = servers.readers.map(async (server) => {
      if (performance.now() < (this.#outUntil.get(server) ?? 0)) return OUT;
      const state = await Promise.race([
        askedOf(server, selection, parts).catch(() => OUT),
        delay(PATIENCE, OUT),
      ]);
      if (state === OUT) this.#outUntil.set(server, performance.now() + OUT_FOR);
      return state;
    });
    const states = await Promise.all(asked);
    // Of what cannot be known nothing can be the same.
    return states.includes(OUT) ? randomUUID() : states.join(' ');
  }
}

async function askedOf(
  reader: Reader,
  selection: Selection,
  tables: readonly string[],
): Promise<string> {
  const rows = await reader.rows(versionStatement(selection, tables));
  return (rows as readonly { state: string }[])[0]?.state ?? '';
}

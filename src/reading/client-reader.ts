/** A reader on behalf of one client, whose queries take turns with those of other clients. */

import type { Reader } from '../engine/engine.ts';
import type { Select } from '../plan/select.ts';
import type { Statement } from '../plan/sql.ts';

/** A class, because every waiting reader has one: closures would take four times the memory. */
class ClientReader implements Reader {
  readonly #reader: Reader;
  readonly #client: () => string;

  constructor(reader: Reader, client: () => string) {
    this.#reader = reader;
    this.#client = client;
  }

  read(statement: Statement, signal: AbortSignal) {
    return this.#reader.read({ ...statement, client: this.#client() }, signal);
  }

  async rows<Row>(statement: Select<Row>, signal?: AbortSignal) {
    return await this.#reader.rows({ ...statement, client: this.#client() }, signal);
  }

  get servers() {
    return this.#reader.servers;
  }

  get isContended() {
    return this.#reader.isContended === true;
  }

  get versions() {
    return this.#reader.versions;
  }
}

/** `client` is called only when a query runs, because it may take some time for a token of many websites. */
export const clientReader = (reader: Reader, client: () => string): Reader =>
  new ClientReader(reader, client);

/** A reader on behalf of one client, whose queries take turns with those of other clients. */

import type { Reader } from '../engine/engine.ts';

/** `client` is called for each query: it may take some time for a token of many websites. */
export const readerFor = (reader: Reader, client: () => string): Reader => ({
  read: (statement, signal) => reader.read({ ...statement, client: client() }, signal),
  rows: (statement, signal) => reader.rows({ ...statement, client: client() }, signal),
  servers: reader.servers,
  get isContended() {
    return reader.isContended === true;
  },
  get state() {
    return reader.state;
  },
});

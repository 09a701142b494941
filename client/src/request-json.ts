/** Requests one JSON value. */

import type { Cancellable } from './lists/rows.ts';
import { type ApiRequest, type Connection, readBody } from './transport/connection.ts';

/** The type of the value comes from the OpenAPI document, and tests hold the service to it. */
export const requestJson = async <Value>(
  connection: Connection,
  request: ApiRequest,
  { signal }: Cancellable,
  retries?: number,
): Promise<Value> =>
  await connection.request(
    request,
    async (response) => (await readBody(signal, async () => await response.json())) as Value,
    signal,
    retries,
  );

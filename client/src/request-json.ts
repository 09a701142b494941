/** Requests one JSON value. */

import type { Cancellable } from './lists/rows.ts';
import { type ApiRequest, type Connection, readBody } from './transport/connection.ts';

export const requestJson = async (
  connection: Connection,
  request: ApiRequest,
  { signal }: Cancellable,
  retries?: number,
): Promise<unknown> =>
  await connection.request(
    request,
    async (response) => await readBody(signal, async () => await response.json()),
    signal,
    retries,
  );

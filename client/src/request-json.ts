/** Requests that return one JSON value. */

import { ApiProblem } from './errors.ts';
import type { Cancellable } from './lists/rows.ts';
import type { ProblemCode } from './model.ts';
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

interface Removal<Value> extends Cancellable {
  /** The path of the list that has the entry. */
  readonly path: string;
  readonly id: string;
  /** The problem that the service returns if there is no such entry. */
  readonly notFound: ProblemCode;
  readonly removed: Value;
}

/**
 * Removes an entry. Reads the list first: if the response to the removal is lost, a retry finds nothing, and only the
 * earlier list tells that the entry existed.
 */
export async function requestRemoval<Value>(
  connection: Connection,
  { path, id, notFound, removed, ...options }: Removal<Value>,
): Promise<Value> {
  const entries = await requestJson<readonly { readonly id: string }[]>(
    connection,
    { path, parameters: {} },
    options,
  );
  const isListed = entries.some((entry) => entry.id === id);
  const removal = {
    path: `${path}/${encodeURIComponent(id)}`,
    method: 'DELETE',
    parameters: {},
  } as const;
  try {
    return await requestJson(connection, removal, options);
  } catch (error) {
    if (isListed && error instanceof ApiProblem && error.code === notFound) return removed;
    throw error;
  }
}

/** Requests that return one JSON value. */

import { ApiProblem, UnexpectedResponse } from './errors.ts';
import type { Cancellable } from './lists/rows.ts';
import type { ProblemCode } from './model.ts';
import { type ApiRequest, type Connection, readBody } from './transport/connection.ts';
import type { RequestRetries, Retry } from './transport/retry.ts';

/** The type of the value comes from the OpenAPI document, and tests hold the service to it. */
export const requestJson = async <Value>(
  connection: Connection,
  request: ApiRequest,
  { signal }: Cancellable,
  retries?: RequestRetries,
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
 * earlier list tells that the entry existed. If no attempt failed before, the entry may still exist on another server.
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
  let mayBeRemoved = false;
  const onRetry = ({ error }: Retry) => {
    mayBeRemoved ||= isListed && !isRateLimited(error);
  };
  try {
    return await requestJson(connection, removal, options, { onRetry });
  } catch (error) {
    if (mayBeRemoved && error instanceof ApiProblem && error.code === notFound) return removed;
    throw error;
  }
}

/** The service did not carry out such a request. */
const isRateLimited = (error: Error): boolean =>
  (error instanceof ApiProblem || error instanceof UnexpectedResponse) && error.status === 429;

/** Requests that return one JSON value. */

import { ApiProblem } from './errors.ts';
import type { Cancellable } from './lists/rows.ts';
import type { ProblemCode } from './model.ts';
import { type ApiRequest, type Connection, readBody } from './transport/connection.ts';
import { NO_RETRIES } from './transport/retry.ts';

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
  readonly path: string;
  /** The problem that the service returns if there is nothing to remove. */
  readonly notFound: ProblemCode;
  /** The result if a retry finds nothing. An earlier attempt has succeeded, but its response was lost. */
  readonly removed: Value;
}

export async function requestRemoval<Value>(
  connection: Connection,
  { path, notFound, removed, signal }: Removal<Value>,
): Promise<Value> {
  const request = { path, method: 'DELETE', parameters: {} } as const;
  let isRetry = false;
  const attempt = async (): Promise<Value> => {
    try {
      return await requestJson(connection, request, { signal }, NO_RETRIES);
    } catch (error) {
      if (isRetry && error instanceof ApiProblem && error.code === notFound) return removed;
      // Only a refusal because of too many requests shows that nothing was removed.
      if (!(error instanceof ApiProblem && error.status === 429)) isRetry = true;
      throw error;
    }
  };
  return await connection.retrying(attempt, signal);
}
